import type { Diagnostic } from "./diagnostics.js";

/** In the order of places: by path, then by offset; at one place in the order they were found. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      compareText(a.span.source.path, b.span.source.path) || a.span.start - b.span.start || a.span.end - b.span.end,
  );
}

/** By code units, so that the order is the same in every locale. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
