import { type Declaration, symbolsOf } from "../print/index.js";

/** The names that declarations use, wherever they come from. */
export function usedNames(declarations: readonly Declaration[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const declaration of declarations) symbolsOf(declaration, (symbol) => names.add(symbol.name));
  return names;
}
