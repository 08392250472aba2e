import type { JsonType } from "../../model/rest.js";
import type { AnswerProperty, AnswerSchema, Schema, TypeWord } from "../../read/discovery/index.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { JsonNode } from "../../source/json.js";
import { limitHelp, type SourceLimits, shortened } from "../../source/source-limits.js";

/** What reading types needs beside them. */
export interface TypeLowering {
  readonly diagnostics: Diagnostics;
  readonly limits: SourceLimits;
}

const any: JsonType = { kind: "any" };

/** The type of the values that a schema allows. What it does not say is any. */
export function lowerSchema(schema: Schema, lowering: TypeLowering): JsonType {
  checkDefault(schema, lowering.diagnostics);
  if (schema.enum !== undefined) {
    const enumeration = lowerEnum(schema, schema.enum, lowering);
    if (enumeration !== undefined) return enumeration;
  }
  if (schema.alternatives !== undefined && schema.alternatives.length > 0) {
    return union(schema.alternatives.map((arm) => lowerSchema(arm, lowering)));
  }
  if (schema.types === undefined) return any;
  return union(schema.types.map((word) => lowerWord(word, schema, lowering)));
}

function lowerWord(word: TypeWord, schema: Schema, lowering: TypeLowering): JsonType {
  switch (word) {
    case "array":
      return { kind: "array", items: schema.items === undefined ? any : lowerSchema(schema.items, lowering) };
    case "object":
      return {
        kind: "object",
        properties: schema.properties.map((property) => ({
          name: property.name,
          required: property.required,
          type: lowerSchema(property.schema, lowering),
          documentation: property.schema.description,
        })),
      };
    default:
      return { kind: word };
  }
}

/** An enumeration, with null where the type allows it; undefined where its values cannot be told apart in a type. */
function lowerEnum(
  schema: Pick<Schema, "span" | "types">,
  nodes: readonly JsonNode[],
  { diagnostics, limits }: TypeLowering,
): JsonType | undefined {
  const values = new Set<string | number | boolean | null>();
  for (const node of nodes) {
    if (node.kind !== "scalar") return undefined;
    if (values.has(node.value)) {
      diagnostics.warning("IDX031", node.span, { message: `${node.pointer} is listed twice.` });
    } else if (schema.types !== undefined && !fits(node.value, schema.types)) {
      diagnostics.warning("IDX031", node.span, {
        message: `${node.pointer} is not of type ${schema.types.join(", ")}.`,
      });
    }
    values.add(node.value);
  }
  if (values.size > limits.enumValues) {
    diagnostics.error("IDX008", schema.span, {
      message: "The enumeration passes limit.enumValues.",
      help: limitHelp("enumValues", limits),
    });
  }
  if (values.size === 0) {
    diagnostics.warning("IDX031", schema.span, { message: "The enumeration has no values; its type alone counts." });
    return undefined;
  }
  if (schema.types?.includes("null")) values.add(null);
  return { kind: "enumeration", values: [...values] };
}

function fits(value: string | number | boolean | null, types: readonly TypeWord[]): boolean {
  if (value === null) return types.includes("null");
  if (typeof value !== "number") return types.includes(typeof value === "string" ? "string" : "boolean");
  return types.includes("number") || (types.includes("integer") && Number.isInteger(value));
}

/** A null default is none; a default that is not a single value cannot be compared with an enumeration. */
function checkDefault(schema: Schema, diagnostics: Diagnostics): void {
  const value = schema.default;
  if (schema.enum === undefined || value?.kind !== "scalar" || value.value === null) return;
  if (schema.enum.some((node) => node.kind === "scalar" && node.value === value.value)) return;
  diagnostics.warning("IDX032", value.span, { message: `${value.pointer} is not one of the enumerated values.` });
}

/** One type for values of any of several. */
function union(types: readonly JsonType[]): JsonType {
  const members = types.flatMap((type) => (type.kind === "union" ? type.members : [type]));
  if (members.some((type) => type.kind === "any")) return any;
  const distinct = new Map(members.map((type) => [JSON.stringify(type), type]));
  const [only, ...others] = distinct.values();
  if (only === undefined) return any;
  return others.length === 0 ? only : { kind: "union", members: [only, ...others] };
}

/** Where a schema stands: what shows the object around it. */
interface AnswerLowering extends TypeLowering {
  readonly shown: readonly string[] | undefined;
}

/** The type of the values that a schema of answers allows. What it does not say is any. */
export function lowerAnswerSchema(schema: AnswerSchema, lowering: TypeLowering): JsonType {
  return lowered(schema, { ...lowering, shown: undefined });
}

function lowered(schema: AnswerSchema, lowering: AnswerLowering): JsonType {
  if (schema.reference !== undefined) return { kind: "named", id: schema.reference };
  if (schema.enum !== undefined) {
    const enumeration = lowerEnum(schema, schema.enum, lowering);
    if (enumeration !== undefined) return enumeration;
  }
  if (schema.alternatives.length > 0) return union(schema.alternatives.map((arm) => lowered(arm, lowering)));
  if (schema.types === undefined) return any;
  return union(
    schema.types.map((word): JsonType => {
      if (word === "array") {
        return { kind: "array", items: schema.items === undefined ? any : lowered(schema.items, lowering) };
      }
      return word === "object" ? lowerObject(schema, lowering) : { kind: word };
    }),
  );
}

function lowerObject(schema: AnswerSchema, lowering: AnswerLowering): JsonType {
  const shown = schema.contexts ?? lowering.shown ?? contextsOf(schema.properties);
  // A member that no context shows is one to write, a password for one.
  const properties = schema.properties.filter((property) => property.schema.contexts?.length !== 0);
  const { additional } = schema;
  return {
    kind: "object",
    properties: properties.map((property) => {
      const { description, contexts, readOnly, format } = property.schema;
      const required = isThere(property, shown);
      return {
        name: property.name,
        required,
        type: lowered(property.schema, { ...lowering, shown }),
        documentation: shortened(description, lowering.limits.descriptionChars),
        facts: {
          ...(readOnly ? { readOnly } : {}),
          ...(format === undefined ? {} : { format }),
          ...(required || contexts === undefined ? {} : { contexts }),
        },
      };
    }),
    ...(additional.length === 0 ? {} : { additional: union(additional.map((each) => lowered(each, lowering))) }),
  };
}

/** The contexts that show anything of an object. */
function contextsOf(properties: readonly AnswerProperty[]): readonly string[] | undefined {
  const said = properties.flatMap(({ schema }) => schema.contexts ?? []);
  return said.length === 0 ? undefined : [...new Set(said)];
}

/** WordPress leaves out what a context does not show; what all contexts show that show its object is always there. */
function isThere(
  { listed, marked, schema: { contexts } }: AnswerProperty,
  shown: readonly string[] | undefined,
): boolean {
  if (listed || contexts === undefined) return listed || marked;
  return shown?.every((context) => contexts.includes(context)) === true;
}
