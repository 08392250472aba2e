/** Whether the documentation is equal in both versions, ignoring white space, which XML formatters change. */
export function hasSameDocumentation(before: Documented, after: Documented): boolean {
  return collapseSpace(before.documentation) === collapseSpace(after.documentation);
}

/** A declaration that may have documentation. */
export interface Documented {
  readonly documentation: string | undefined;
}

/** Replaces white space by single spaces, and removes it from both ends. */
export function collapseSpace(text: string | undefined): string {
  return (text ?? "").trim().replace(/\s+/g, " ");
}
