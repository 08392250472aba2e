import type { AnswerType, JsonProperty, JsonType, JsonValue } from "../../model/rest.js";
import type { AnswerProperty, AnswerSchema, JsonTypeName, Schema } from "../../read/rest/documents.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { JsonNode } from "../../source/json.js";
import { describeLimitRemedy, type SourceLimits, shortenDescription } from "../../source/source-limits.js";
import { findContexts, isAlwaysPresent, isWriteOnly } from "./endpoint-conventions.js";
import { isBuiltin, isLinks } from "./wordpress/answer-notation.js";
import { isWordPressRoute } from "./wordpress/known-routes.js";

/** The inputs for lowering a schema: the collector for diagnostics about the schema, and the limits on its size. */
export interface SchemaContext {
  readonly diagnostics: Diagnostics;
  readonly limits: SourceLimits;
}

const anyType: JsonType = { kind: "any" };

/** Lowers the schema of an argument to the type of its values. */
export function lowerSchema(schema: Schema, context: SchemaContext): JsonType {
  checkDefault(schema, context.diagnostics);
  const enumeration = schema.enum && lowerEnum(schema, schema.enum, context);
  if (enumeration !== undefined) {
    return enumeration;
  }
  if (schema.alternatives !== undefined && schema.alternatives.length > 0) {
    return createUnion(schema.alternatives.map((alternative) => lowerSchema(alternative, context)));
  }
  return schema.types === undefined
    ? anyType
    : createUnion(schema.types.map((word) => lowerNamedType(word, schema, context)));
}

function lowerNamedType(word: JsonTypeName, schema: Schema, context: SchemaContext): JsonType {
  switch (word) {
    case "array":
      return { kind: "array", items: schema.items === undefined ? anyType : lowerSchema(schema.items, context) };
    case "object":
      return {
        kind: "object",
        properties: schema.properties.map((property) => ({
          name: property.name,
          required: property.required,
          type: lowerSchema(property.schema, context),
          documentation: property.schema.description,
          annotations: {
            span: property.schema.span,
            ...(property.schema.format === undefined ? {} : { format: property.schema.format }),
          },
        })),
      };
    default:
      return { kind: word };
  }
}

/**
 * Lowers an enumeration, with null if the type allows null. Returns undefined if there are no values, or if one of them
 * is an array or object.
 */
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
      diagnostics.warning("IDX031", node.span, { message: `The enumeration has the value at ${node.pointer} twice.` });
    } else if (schema.types !== undefined && !isOfType(node.value, schema.types)) {
      diagnostics.warning("IDX031", node.span, {
        message: `The value at ${node.pointer} is not of type ${schema.types.join(", ")}.`,
      });
    }
    values.add(node.value);
  }
  if (values.size > limits.enumValues) {
    diagnostics.error("IDX008", schema.span, {
      message: `The enumeration has more than ${limits.enumValues} values.`,
      ...describeLimitRemedy("enumValues", limits),
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

function isOfType(value: string | number | boolean | null, types: readonly JsonTypeName[]): boolean {
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

/**
 * Reports a default that is not one of the argument's allowed values. Null means no default. Arrays and objects are not
 * compared.
 */
function checkDefault(schema: Schema, diagnostics: Diagnostics): void {
  const node = schema.default;
  if (schema.enum === undefined || node?.kind !== "scalar" || node.value === null) {
    return;
  }
  if (!schema.enum.some((allowedNode) => allowedNode.kind === "scalar" && allowedNode.value === node.value)) {
    const message = `The default at ${node.pointer} is not one of the values in "enum".`;
    const [, , route = ""] = node.pointer.split("/");
    if (isWordPressRoute(route.replaceAll("~1", "/"))) {
      const help =
        'No action is needed: WordPress publishes this default. The type of the argument allows only the values in "enum".';
      diagnostics.info("IDX032", node.span, { message, help });
    } else {
      diagnostics.warning("IDX032", node.span, { message });
    }
  }
}

function createUnion(types: readonly JsonType[]): JsonType {
  const members = types.flatMap((type) => (type.kind === "union" ? type.members : [type]));
  if (members.some((type) => type.kind === "any")) {
    return anyType;
  }
  const distinctTypes = new Map(members.map((type) => [formatType(type), type]));
  const [firstType, ...otherTypes] = distinctTypes.values();
  if (firstType === undefined) {
    return anyType;
  }
  return otherTypes.length === 0 ? firstType : { kind: "union", members: [firstType, ...otherTypes] };
}

/** Formats a type without positions and restrictions of values, so that two types can be compared. */
function formatType(type: JsonType): string {
  return JSON.stringify(type, (name, value: unknown) =>
    name === "restrictions" || name === "span" ? undefined : value,
  );
}

/** Formats a type with the restrictions of its values, but without positions, so that two types can be compared. */
export function formatContent(type: JsonType): string {
  return JSON.stringify(type, (name, value: unknown) => (name === "span" ? undefined : value));
}

interface AnswerContext extends SchemaContext {
  /** The values of `context` for which answers contain the enclosing object; undefined if they are unknown. */
  readonly contexts: readonly string[] | undefined;
}

/** Lowers the schema of an answer to its type. */
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
  const nestedContext = { ...context, contexts: schema.contexts ?? context.contexts };
  if (schema.alternatives.length > 0) {
    return createUnion(schema.alternatives.map((alternative) => lowerNestedSchema(alternative, nestedContext)));
  }
  return schema.types === undefined
    ? anyType
    : createUnion(schema.types.map((word) => lowerNamedAnswerType(word, schema, nestedContext)));
}

function lowerNamedAnswerType(word: JsonTypeName, schema: AnswerSchema, context: AnswerContext): JsonType {
  switch (word) {
    case "array":
      return { kind: "array", items: schema.items === undefined ? anyType : lowerNestedSchema(schema.items, context) };
    case "object":
      return lowerObject(schema, context);
    default:
      return { kind: word };
  }
}

function lowerObject(schema: AnswerSchema, context: AnswerContext): JsonType {
  const memberContext = { ...context, contexts: findContexts(schema, context.contexts) };
  const visibleProperties = schema.properties.filter((property) => !isWriteOnly(property));
  const properties = visibleProperties.map((property) => lowerProperty(property, memberContext));
  const additionalTypes = schema.additional.map((type) => lowerNestedSchema(type, memberContext));
  return {
    kind: "object",
    properties,
    ...(additionalTypes.length === 0 ? {} : { additional: createUnion(additionalTypes) }),
  };
}

function lowerProperty(property: AnswerProperty, context: AnswerContext): JsonProperty {
  const { description, contexts, readOnly } = property.schema;
  const isRequired = isAlwaysPresent(property, context.contexts);
  return {
    name: property.name,
    required: isRequired,
    type: lowerNestedSchema(property.schema, context),
    documentation: shortenDescription(description, context.limits.descriptionChars),
    annotations: {
      ...(isBuiltin(property.schema) ? {} : { span: property.schema.span }),
      ...(readOnly ? { readOnly } : {}),
      ...lowerAnnotations(property.schema),
      ...(property.isListed || contexts === undefined ? {} : { contexts }),
      ...(isLinks(property) ? { notInPrevious: true } : {}),
    },
  };
}

/** Returns the format and the restrictions of a value, which its type does not express. */
export function lowerAnnotations(schema: AnswerSchema): NonNullable<AnswerType["annotations"]> {
  const restrictions = listRestrictions(schema);
  return {
    ...(schema.format === undefined ? {} : { format: schema.format }),
    ...(restrictions.size === 0 ? {} : { restrictions: Object.fromEntries(restrictions) }),
  };
}

/** Returns the restrictions of a value, of its items and of its alternatives. */
function listRestrictions({ restrictions, items, alternatives }: AnswerSchema): ReadonlyMap<string, JsonValue> {
  const listNestedRestrictions = (prefix: string, schema: AnswerSchema) => [
    ...(schema.format === undefined ? [] : [[`${prefix}.format`, schema.format] as const]),
    ...[...listRestrictions(schema)].map(([name, value]) => [`${prefix}.${name}`, value] as const),
  ];
  const valuesByName = new Map<string, JsonValue[]>();
  // The keys of restrictions begin with the type of their alternative, so two alternatives of the same type have the
  // same keys. Their values are collected in one sorted list.
  for (const [name, value] of alternatives.flatMap((alternative) =>
    listNestedRestrictions(alternative.types?.join(" or ") ?? "any", alternative),
  )) {
    valuesByName.set(name, [...(valuesByName.get(name) ?? []), value]);
  }
  return new Map([
    ...restrictions,
    ...(items === undefined ? [] : listNestedRestrictions("items", items)),
    ...[...valuesByName].map(([name, values]): readonly [string, JsonValue] => [
      name,
      values.length === 1 ? (values[0] ?? null) : values.map((value) => JSON.stringify(value)).sort(),
    ]),
  ]);
}
