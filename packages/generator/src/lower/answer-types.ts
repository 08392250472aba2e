import type { JsonType } from "../model/rest.js";
import type { AnswerProperty, AnswerSchema } from "../read/discovery/index.js";
import { shortened } from "../source/limits.js";
import { lowerEnum, type TypeLowering, union } from "./discovery-types.js";

const any: JsonType = { kind: "any" };

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
