import { type Pattern, PatternError } from "@bothends/datatypes/pattern";
import type { JsonObject, JsonTypeName, JsonValue } from "../descriptor.js";
import { isObject } from "./php-values.js";
import { compileValuePattern, jsonTypeNamed } from "./route-syntax/index.js";

/** The JSON Schema keywords of an argument, prepared for checking values. */
export interface ArgumentSchema {
  /** Undefined allows every type. */
  readonly types: readonly JsonTypeName[] | undefined;
  readonly title: string | undefined;
  readonly enum: readonly JsonValue[];
  readonly format: string | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: TextPattern | undefined;
  readonly items: ArgumentSchema | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly properties: ReadonlyMap<string, ArgumentSchema>;
  readonly required: readonly string[];
  readonly patternProperties: readonly (readonly [TextPattern, ArgumentSchema])[];
  /** `false` forbids what is not listed; a schema describes it. */
  readonly additionalProperties: ArgumentSchema | false | undefined;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  /** The `anyOf` and `oneOf` of the schema. */
  readonly alternatives: readonly Alternatives[];
}

export interface Alternatives {
  readonly kind: "anyOf" | "oneOf";
  readonly schemas: readonly ArgumentSchema[];
}

/** Prepares a schema of the index. `inherited` are the types of the schema that it is an alternative in. */
export function compileSchema(definition: JsonValue | undefined, inherited?: ArgumentSchema["types"]): ArgumentSchema {
  const source: JsonObject = isObject(definition) ? definition : {};
  const member = (name: string) => (Object.hasOwn(source, name) ? source[name] : undefined);
  const types = typesOf(member("type")) ?? (member("type") === undefined ? inherited : undefined);
  return {
    types,
    title: textMember(member("title")),
    enum: valuesOf(member("enum")),
    format: textMember(member("format")),
    minimum: numberMember(member("minimum")),
    maximum: numberMember(member("maximum")),
    exclusiveMinimum: Boolean(member("exclusiveMinimum")),
    exclusiveMaximum: Boolean(member("exclusiveMaximum")),
    multipleOf: numberMember(member("multipleOf")),
    minLength: numberMember(member("minLength")),
    maxLength: numberMember(member("maxLength")),
    pattern: patternMember(member("pattern")),
    items: isObject(member("items")) ? compileSchema(member("items")) : undefined,
    minItems: numberMember(member("minItems")),
    maxItems: numberMember(member("maxItems")),
    uniqueItems: member("uniqueItems") === true,
    properties: new Map(entriesOf(member("properties")).map(([name, schema]) => [name, compileSchema(schema)])),
    required: requiredOf(member("required"), member("properties")),
    patternProperties: entriesOf(member("patternProperties")).map(([text, schema]) => [
      compileTextPattern(text),
      compileSchema(schema),
    ]),
    additionalProperties: additionalOf(member("additionalProperties")),
    minProperties: numberMember(member("minProperties")),
    maxProperties: numberMember(member("maxProperties")),
    alternatives: (["anyOf", "oneOf"] as const).flatMap((kind) => {
      const schemas = member(kind);
      if (schemas === undefined) {
        return [];
      }
      return [{ kind, schemas: valuesOf(schemas).map((schema) => compileSchema(schema, types)) }];
    }),
  };
}

/** Returns undefined if any of the names does not mean a type of JSON Schema: then every value is allowed. */
function typesOf(type: JsonValue | undefined): readonly JsonTypeName[] | undefined {
  const words = Array.isArray(type) ? type : [type];
  const types = words.flatMap((word) => jsonTypeNamed(word) ?? []);
  return types.length === words.length && types.length > 0 ? types : undefined;
}

function valuesOf(list: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(list)) {
    return list;
  }
  return isObject(list) ? Object.values(list).map((value) => value ?? null) : [];
}

function requiredOf(required: JsonValue | undefined, properties: JsonValue | undefined): readonly string[] {
  // Draft 4 lists the names; draft 3 marks each property.
  if (Array.isArray(required)) {
    return required.filter((name): name is string => typeof name === "string");
  }
  return entriesOf(properties).flatMap(([name, schema]) =>
    isObject(schema) && schema["required"] === true ? [name] : [],
  );
}

function additionalOf(value: JsonValue | undefined): ArgumentSchema | false | undefined {
  if (value === false) {
    return false;
  }
  return isObject(value) ? compileSchema(value) : undefined;
}

function entriesOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isObject(value) ? Object.entries(value).map(([name, schema]) => [name, schema ?? null] as const) : [];
}

function textMember(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numberMember(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function patternMember(value: JsonValue | undefined): TextPattern | undefined {
  return typeof value === "string" ? compileTextPattern(value) : undefined;
}

/** A pattern for the texts of an argument. */
interface TextPattern {
  readonly text: string;
  /** Absent if the pattern cannot run in linear time: then it is not checked. */
  readonly matcher: Pattern | undefined;
}

/** Prepares a pattern of JSON Schema, which matches anywhere in a text unless it is anchored; compiled patterns match whole texts. */
function compileTextPattern(text: string): TextPattern {
  try {
    return { text, matcher: compileValuePattern(branchesOf(text).map(asWhole).join("|")) };
  } catch (error) {
    if (error instanceof PatternError) {
      return { text, matcher: undefined };
    }
    throw error;
  }
}

/** Makes a branch match whole texts. Each branch has its own anchors: `^a|b$` is `a` at the beginning, or `b` at the end. */
function asWhole(branch: string): string {
  const start = branch.startsWith("^");
  const end = /(?:^|[^\\])(?:\\\\)*\$$/.test(branch);
  const inner = branch.slice(start ? 1 : 0, end ? -1 : undefined);
  return `${start ? "" : anything}(?:${inner})${end ? "" : anything}`;
}

const anything = "[\\s\\S]*";

/** The branches of a pattern outside groups. */
function branchesOf(text: string): readonly string[] {
  const branches: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") {
      at += 1;
    } else if (char === "[") {
      at = classEnd(text, at);
    } else if (char === "(") {
      depth += 1;
    } else if (char === ")") {
      depth -= 1;
    } else if (char === "|" && depth === 0) {
      branches.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...branches, text.slice(start)];
}

/** The offset of the bracket that closes a class; a bracket in first position is a member. */
function classEnd(text: string, start: number): number {
  let at = start + 1;
  if (text.charAt(at) === "^") {
    at += 1;
  }
  if (text.charAt(at) === "]") {
    at += 1;
  }
  while (at < text.length && text.charAt(at) !== "]") {
    at += text.charAt(at) === "\\" ? 2 : 1;
  }
  return at;
}
