import type { JsonProperty, JsonType } from "../../model/rest.js";
import type { AnswerProperty, AnswerSchema, Schema, TypeWord } from "../../read/discovery/index.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { JsonNode } from "../../source/json.js";
import { limitHelp, type SourceLimits, shortenDescription } from "../../source/source-limits.js";
import { isLinks } from "./wordpress/answer-notation.js";
import { isOwnRoute } from "./wordpress/registered-types.js";
import { contextsOf, isAlwaysPresent, isWriteOnly } from "./wordpress-conventions.js";

/** The context for lowering a schema. */
export interface SchemaContext {
  readonly diagnostics: Diagnostics;
  readonly limits: SourceLimits;
}

const any: JsonType = { kind: "any" };

/** The type of an argument's values according to its schema. */
export function lowerSchema(schema: Schema, context: SchemaContext): JsonType {
  checkDefault(schema, context.diagnostics);
  const enumeration = schema.enum && lowerEnum(schema, schema.enum, context);
  if (enumeration !== undefined) {
    return enumeration;
  }
  if (schema.alternatives !== undefined && schema.alternatives.length > 0) {
    return union(schema.alternatives.map((alternative) => lowerSchema(alternative, context)));
  }
  return schema.types === undefined ? any : union(schema.types.map((word) => lowerTypeWord(word, schema, context)));
}

function lowerTypeWord(word: TypeWord, schema: Schema, context: SchemaContext): JsonType {
  switch (word) {
    case "array":
      return { kind: "array", items: schema.items === undefined ? any : lowerSchema(schema.items, context) };
    case "object":
      return {
        kind: "object",
        properties: schema.properties.map((property) => ({
          name: property.name,
          required: property.required,
          type: lowerSchema(property.schema, context),
          documentation: property.schema.description,
          ...(property.schema.format === undefined ? {} : { annotations: { format: property.schema.format } }),
        })),
      };
    default:
      return { kind: word };
  }
}

/** An enumeration, with null if the type allows it; undefined if a value is not a literal or there are no values. */
function lowerEnum(
  schema: Pick<Schema, "span" | "types">,
  nodes: readonly JsonNode[],
  { diagnostics, limits }: SchemaContext,
): JsonType | undefined {
  const values = new Set<string | number | boolean | null>();
  for (const node of nodes) {
    if (node.kind !== "scalar") {
      return undefined;
    }
    if (values.has(node.value)) {
      diagnostics.warning("IDX031", node.span, { message: `${node.pointer} is listed twice.` });
    } else if (schema.types !== undefined && !isOfType(node.value, schema.types)) {
      diagnostics.warning("IDX031", node.span, {
        message: `${node.pointer} is not of type ${schema.types.join(", ")}.`,
      });
    }
    values.add(node.value);
  }
  if (values.size > limits.enumValues) {
    diagnostics.error("IDX008", schema.span, {
      message: "The enumeration has more values than limit.enumValues allows.",
      help: limitHelp("enumValues", limits),
    });
  }
  if (values.size === 0) {
    diagnostics.warning("IDX031", schema.span, { message: "The enumeration has no values and is ignored." });
    return undefined;
  }
  if (schema.types?.includes("null")) {
    values.add(null);
  }
  return { kind: "enumeration", values: [...values] };
}

function isOfType(value: string | number | boolean | null, types: readonly TypeWord[]): boolean {
  switch (typeof value) {
    case "string":
      return types.includes("string");
    case "boolean":
      return types.includes("boolean");
    case "number":
      return types.includes("number") || (types.includes("integer") && Number.isInteger(value));
    default:
      return types.includes("null");
  }
}

/** Reports a default outside the enumeration. Null means no default; arrays and objects are not compared. */
function checkDefault(schema: Schema, diagnostics: Diagnostics): void {
  const node = schema.default;
  if (schema.enum === undefined || node?.kind !== "scalar" || node.value === null) {
    return;
  }
  if (!schema.enum.some((enumerated) => enumerated.kind === "scalar" && enumerated.value === node.value)) {
    const message = `${node.pointer} is not one of the enumerated values.`;
    const [, , route = ""] = node.pointer.split("/");
    if (isOwnRoute(route.replaceAll("~1", "/"))) {
      const help =
        "WordPress itself publishes this default. Nothing to do: the type of the argument is its enumeration.";
      diagnostics.info("IDX032", node.span, { message, help });
    } else {
      diagnostics.warning("IDX032", node.span, { message });
    }
  }
}

function union(types: readonly JsonType[]): JsonType {
  const members = types.flatMap((type) => (type.kind === "union" ? type.members : [type]));
  if (members.some((type) => type.kind === "any")) {
    return any;
  }
  const distinct = new Map(members.map((type) => [JSON.stringify(type), type]));
  const [first, ...others] = distinct.values();
  if (first === undefined) {
    return any;
  }
  return others.length === 0 ? first : { kind: "union", members: [first, ...others] };
}

interface AnswerContext extends SchemaContext {
  /** The contexts that show the enclosing object. */
  readonly contexts: readonly string[] | undefined;
}

/** The type of an answer's values according to its schema. */
export function lowerAnswerSchema(schema: AnswerSchema, context: SchemaContext): JsonType {
  return lowerNestedSchema(schema, { ...context, contexts: undefined });
}

function lowerNestedSchema(schema: AnswerSchema, context: AnswerContext): JsonType {
  if (schema.reference !== undefined) {
    return { kind: "named", id: schema.reference };
  }
  const enumeration = schema.enum && lowerEnum(schema, schema.enum, context);
  if (enumeration !== undefined) {
    return enumeration;
  }
  const inner = { ...context, contexts: schema.contexts ?? context.contexts };
  if (schema.alternatives.length > 0) {
    return union(schema.alternatives.map((alternative) => lowerNestedSchema(alternative, inner)));
  }
  return schema.types === undefined ? any : union(schema.types.map((word) => lowerAnswerWord(word, schema, inner)));
}

function lowerAnswerWord(word: TypeWord, schema: AnswerSchema, context: AnswerContext): JsonType {
  switch (word) {
    case "array":
      return { kind: "array", items: schema.items === undefined ? any : lowerNestedSchema(schema.items, context) };
    case "object":
      return lowerObject(schema, context);
    default:
      return { kind: word };
  }
}

function lowerObject(schema: AnswerSchema, context: AnswerContext): JsonType {
  const inner = { ...context, contexts: contextsOf(schema, context.contexts) };
  const shown = schema.properties.filter((property) => !isWriteOnly(property));
  const properties = shown.map((property) => lowerProperty(property, inner));
  const additional = schema.additional.map((type) => lowerNestedSchema(type, inner));
  return { kind: "object", properties, ...(additional.length === 0 ? {} : { additional: union(additional) }) };
}

function lowerProperty(property: AnswerProperty, context: AnswerContext): JsonProperty {
  const { description, contexts, readOnly, format } = property.schema;
  const required = isAlwaysPresent(property, context.contexts);
  return {
    name: property.name,
    required,
    type: lowerNestedSchema(property.schema, context),
    documentation: shortenDescription(description, context.limits.descriptionChars),
    annotations: {
      ...(readOnly ? { readOnly } : {}),
      ...(format === undefined ? {} : { format }),
      ...(required || contexts === undefined ? {} : { contexts }),
      ...(isLinks(property) ? { notInPrevious: true } : {}),
    },
  };
}
