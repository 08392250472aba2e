/** The types of JSON Schema draft 4. */
const typeNames = ["string", "integer", "number", "boolean", "array", "object", "null"] as const;

type TypeName = (typeof typeNames)[number];

/**
 * JSON Schema types, by the names that plug-ins use instead of them: type names of other languages, and the names of
 * string formats.
 */
const typesByName: ReadonlyMap<string, TypeName> = new Map([
  ...listNamesFor("string", "str text date date-time datetime time email uri url uuid ip hex-color color slug html"),
  ...listNamesFor("integer", "int int32 int64 long bigint"),
  ...listNamesFor("number", "float double decimal numeric"),
  ...listNamesFor("boolean", "bool"),
  ...listNamesFor("array", "list"),
  ...listNamesFor("object", "map hash dict dictionary"),
]);

/** String formats, by the names that plug-ins use in place of a type. */
const formatsByName: ReadonlyMap<string, string> = new Map([
  ...listNamesFor("date-time", "date-time datetime"),
  ...listNamesFor("date", "date"),
  ...listNamesFor("time", "time"),
  ...listNamesFor("email", "email"),
  ...listNamesFor("uri", "uri url"),
  ...listNamesFor("uuid", "uuid"),
  ...listNamesFor("ip", "ip"),
  ...listNamesFor("hex-color", "hex-color color"),
]);

function listNamesFor<Meaning extends string>(
  meaning: Meaning,
  names: string,
): readonly (readonly [string, Meaning])[] {
  return names.split(" ").map((name) => [name, meaning]);
}

/**
 * Returns the JSON Schema type that a word means: `integer` for `int` and `Integer`. Returns undefined for an unknown
 * word.
 */
export function jsonTypeNamed(word: unknown): TypeName | undefined {
  const name = normalize(word);
  return typeNames.find((typeName) => typeName === name) ?? typesByName.get(name);
}

/**
 * Returns the string format for the words of a `type`: `date-time` for `DateTime`, even if `null` is allowed. Returns
 * undefined if none of the words is a format, or if another word allows strings without this format.
 */
export function formatNamed(words: readonly unknown[]): string | undefined {
  const stringWords = words.filter((word) => jsonTypeNamed(word) === "string");
  const formats = new Set(stringWords.map((word) => formatsByName.get(normalize(word))));
  return formats.size === 1 ? [...formats][0] : undefined;
}

function normalize(word: unknown): string {
  return typeof word === "string" ? word.trim().toLowerCase() : "";
}
