/** What tells no two ports apart: without addressing headers, or with them, the messages are the same. */
const beside: ReadonlySet<string> = new Set(["span", "documentation", "addressing"]);

/** Whether two facts say the same, wherever they stand. */
export function sameFacts(a: unknown, b: unknown): boolean {
  return factsText(a) === factsText(b);
}

function factsText(value: unknown): string {
  return JSON.stringify(value, (key, one) => (beside.has(key) ? undefined : one)) ?? "";
}
