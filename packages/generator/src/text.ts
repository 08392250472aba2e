// Functions for names and sentences, which several folders and packages use.

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
