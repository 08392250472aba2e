/** The types of JSON Schema draft 4. */
const typeNames = ["string", "integer", "number", "boolean", "array", "object", "null"] as const;

type TypeName = (typeof typeNames)[number];

/** Names that plug-ins write instead of JSON Schema types: types of other languages, and string formats. */
const meantTypes: ReadonlyMap<string, TypeName> = new Map([
  ...namesFor("string", "str text date date-time datetime time email uri url uuid ip hex-color color slug html"),
  ...namesFor("integer", "int int32 int64 long bigint"),
  ...namesFor("number", "float double decimal numeric"),
  ...namesFor("boolean", "bool"),
  ...namesFor("array", "list"),
  ...namesFor("object", "map hash dict dictionary"),
]);

/** The formats of texts whose names plug-ins write instead of a type. */
const meantFormats: ReadonlyMap<string, string> = new Map([
  ...namesFor("date-time", "date-time datetime"),
  ...namesFor("date", "date"),
  ...namesFor("time", "time"),
  ...namesFor("email", "email"),
  ...namesFor("uri", "uri url"),
  ...namesFor("uuid", "uuid"),
  ...namesFor("ip", "ip"),
  ...namesFor("hex-color", "hex-color color"),
]);

function namesFor<Meaning extends string>(meaning: Meaning, names: string): readonly (readonly [string, Meaning])[] {
  return names.split(" ").map((name) => [name, meaning]);
}

/** The JSON Schema type for a word: `integer` for `int` and `Integer`. Undefined if there is none. */
export function jsonTypeNamed(word: unknown): TypeName | undefined {
  const name = normalized(word);
  return typeNames.find((typeName) => typeName === name) ?? meantTypes.get(name);
}

/**
 * The format of texts that the words in the place of a type mean: `date-time` for `DateTime`, also beside `null`. Undefined if
 * there is none, or if another word allows other texts.
 */
export function formatNamed(words: readonly unknown[]): string | undefined {
  const texts = words.filter((word) => jsonTypeNamed(word) === "string");
  const formats = new Set(texts.map((word) => meantFormats.get(normalized(word))));
  return formats.size === 1 ? [...formats][0] : undefined;
}

function normalized(word: unknown): string {
  return typeof word === "string" ? word.trim().toLowerCase() : "";
}
