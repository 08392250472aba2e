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

function namesFor(type: TypeName, names: string): readonly (readonly [string, TypeName])[] {
  return names.split(" ").map((name) => [name, type]);
}

/** The JSON Schema type for a word: `integer` for `int` and `Integer`. Undefined if there is none. */
export function jsonTypeNamed(word: unknown): TypeName | undefined {
  if (typeof word !== "string") {
    return undefined;
  }
  const lowerCase = word.trim().toLowerCase();
  return typeNames.find((name) => name === lowerCase) ?? meantTypes.get(lowerCase);
}
