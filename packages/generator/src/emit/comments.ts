/** Text of the schema with facts that the type does not show, a paragraph each. Undefined when there is nothing to say. */
export function documentation(text: string | undefined, facts: readonly string[]): string | undefined {
  const parts = [
    ...(text === undefined || text.trim() === "" ? [] : [text]),
    ...(facts.length === 0 ? [] : [facts.join("\n")]),
  ];
  return parts.length === 0 ? undefined : parts.join("\n\n");
}
