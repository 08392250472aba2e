import { catalogue } from "./catalogue/index.js";
import type { Diagnostic } from "./diagnostics.js";

/**
 * Leaves out what only follows: while a document is missing or cannot be read, the names that it would declare are
 * unknown everywhere, and to say so would blame the wrong places.
 */
export function withoutConsequences(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const unread = diagnostics.some(({ code, severity }) => severity === "error" && /^(?:SRC|XML)/.test(code));
  if (!unread) return diagnostics;
  return diagnostics.filter(({ code }) => !/^(?:wsdl|xsd)\.unknown-/.test(catalogue[code].kind));
}
