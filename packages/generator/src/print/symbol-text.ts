import { ident } from "./ident.js";
import { key } from "./key.js";
import type { CodeSymbol } from "./symbol.js";

/** How code spells a symbol. */
export function symbolText(symbol: CodeSymbol): string {
  if (symbol.namespace === undefined) return ident(symbol.name);
  return `${ident(symbol.namespace)}.${key(symbol.name)}`;
}
