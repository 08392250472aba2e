// Functions for texts, which several folders and packages use.

/** Returns a text with a capital at its start: `checkUSA` becomes `CheckUSA`. */
export function capitalize(text: string): string {
  const [firstCharacter = ""] = text;
  return firstCharacter.toUpperCase() + text.slice(firstCharacter.length);
}

/** Joins names to a phrase: `a, b and c`. */
export function joinNames(names: readonly string[], conjunction: "and" | "or"): string {
  const lastName = names.at(-1) ?? "";
  return names.length < 2 ? lastName : `${names.slice(0, -1).join(", ")} ${conjunction} ${lastName}`;
}

/** Writes a string as a JSON string literal, which is also a valid TypeScript literal. */
export function formatJson(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
