/** Whether two facts say the same, wherever they stand. */
export function sameFacts(a: unknown, b: unknown): boolean {
  return factsText(a) === factsText(b);
}

function factsText(value: unknown): string {
  return JSON.stringify(value, (key, one) => (key === "span" || key === "documentation" ? undefined : one)) ?? "";
}
