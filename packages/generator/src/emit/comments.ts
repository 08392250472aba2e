/** The text of a comment: the documentation of the schema, then facts that the type does not show; undefined if empty. */
export function documentation(text: string | undefined, facts: readonly string[]): string | undefined {
  const parts = [
    ...(text === undefined || text.trim() === "" ? [] : [text]),
    ...(facts.length === 0 ? [] : [facts.join("\n")]),
  ];
  return parts.length === 0 ? undefined : parts.join("\n\n");
}
