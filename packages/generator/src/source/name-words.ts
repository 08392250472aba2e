/** Letters of Unicode 16 and 17, which not every tool and not every Node knows. */
const young =
  "\\u088f\\u0897\\u0c5c\\u0cdc\\u1acf-\\u1aeb\\u1c89\\u1c8a\\ua7cb-\\ua7cf\\ua7d2\\ua7d4\\ua7da-\\ua7dc\\ua7f1";

/** Letters, digits and marks of the basic plane that identifiers may have, without connectors and invisible characters. */
const word = new RegExp(
  `(?:(?![\\p{Pc}\\p{Default_Ignorable_Code_Point}\\u{10000}-\\u{10ffff}${young}])\\p{ID_Continue})+`,
  "gu",
);

/** The words of a name in a schema: what identifiers may consist of on any platform. */
export function nameWords(text: string): readonly string[] {
  return text.normalize("NFC").match(word) ?? [];
}
