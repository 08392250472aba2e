import type { AnswerSchema, Endpoint, Schema } from "../../../read/discovery/index.js";
import { any } from "./answer-notation.js";

/** What can be written of an object, by name. */
export type WritableMembers = Readonly<Record<string, AnswerSchema>>;

/** The arguments of an endpoint as members of the objects that it creates. An index describes arguments even if it has no schemas. */
export function writableMembers(endpoint: Endpoint | undefined): WritableMembers {
  return Object.fromEntries((endpoint?.args ?? []).map(({ name, schema }) => [name, answerSchema(schema)]));
}

function answerSchema(schema: Schema): AnswerSchema {
  return {
    ...any,
    span: schema.span,
    description: schema.description,
    types: schema.types,
    enum: schema.enum,
    items: schema.items && answerSchema(schema.items),
    properties: schema.properties.map((property) => ({
      name: property.name,
      listed: false,
      marked: false,
      schema: answerSchema(property.schema),
    })),
    alternatives: (schema.alternatives ?? []).map(answerSchema),
  };
}
