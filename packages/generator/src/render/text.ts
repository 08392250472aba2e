/** Writes a string as a JSON string literal, which is also a valid TypeScript literal. */
export function formatJson(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Writes a string as inline code for a line of Markdown. */
export function formatCode(text: string): string {
  return `\`${text.replace(/[`|\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")}\``;
}

/** Joins strings with commas and "and": `a, b and c`. */
export function joinWithAnd(texts: readonly string[]): string {
  const lastText = texts.at(-1) ?? "";
  return texts.length < 2 ? lastText : `${texts.slice(0, -1).join(", ")} and ${lastText}`;
}
