import type { AnswerDefinition, AnswerProperty, AnswerSchema, JsonTypeName } from "../../../read/rest/documents.js";
import { createAnySchema } from "../../../read/rest/read-answer-schema.js";
import type { JsonNode } from "../../../source/json.js";
import type { Span } from "../../../source/span.js";

// A short notation for the schemas of WordPress's answers, used by `posts.ts`, `site-objects.ts` and `known-routes.ts`.

/** The span of schemas that the generator, not a file, contains. */
const builtinSpan: Span = { source: { path: "WordPress", text: "" }, start: 0, end: 0 };

/** Whether a schema is built into the generator. If so, its span is not a position in a file. */
export function isBuiltin({ span }: Pick<AnswerSchema, "span">): boolean {
  return span.source === builtinSpan.source;
}

/** Any JSON value. */
export const anything: AnswerSchema = createAnySchema({ span: builtinSpan });

function ofType(...types: readonly JsonTypeName[]): AnswerSchema {
  return { ...anything, types };
}

export const text: AnswerSchema = ofType("string");
export const integer: AnswerSchema = ofType("integer");
export const number: AnswerSchema = ofType("number");
export const boolean: AnswerSchema = ofType("boolean");
export const integerOrText: AnswerSchema = ofType("integer", "string");
export const numberOrText: AnswerSchema = ofType("number", "string");
/** An object with any members. */
export const json: AnswerSchema = ofType("object");

/** A local time without a zone: `2024-03-02T10:00:00`. */
export const dateTime: AnswerSchema = { ...text, format: "date-time" };

/** A URL. */
export const address: AnswerSchema = { ...text, format: "uri" };

/** Returns the schema of a list. */
export function list(items: AnswerSchema): AnswerSchema {
  return { ...ofType("array"), items };
}

/** Returns the schema of an object whose members may have any names, but whose values all have one type. */
export function mapOf(values: AnswerSchema): AnswerSchema {
  return { ...json, additional: [values] };
}

/** Returns the schema of a string that is one of several values. */
export function oneOf(...values: readonly string[]): AnswerSchema {
  return { ...text, enum: values.map(scalar) };
}

/** Returns the schema of a value that matches one of several schemas. */
export function either(...alternatives: readonly AnswerSchema[]): AnswerSchema {
  return { ...anything, alternatives };
}

/** Adds values to an enumeration. */
export function withValues(schema: AnswerSchema, additionalNodes: readonly JsonNode[]): AnswerSchema {
  const knownNodes = schema.enum ?? [];
  const isKnown = (node: JsonNode) =>
    knownNodes.some((other) => other.kind === "scalar" && node.kind === "scalar" && other.value === node.value);
  return { ...schema, enum: [...knownNodes, ...additionalNodes.filter((node) => !isKnown(node))] };
}

/** Returns a string as a node of a schema, for enumerations. */
export function scalar(value: string): JsonNode {
  return { kind: "scalar", value, span: builtinSpan, pointer: "" };
}

/** Returns a schema that also allows null. */
export function nullable(schema: AnswerSchema): AnswerSchema {
  if (schema.alternatives.length > 0) {
    return { ...schema, alternatives: [...schema.alternatives, ofType("null")] };
  }
  return { ...schema, types: [...(schema.types ?? []).filter((word) => word !== "null"), "null"] };
}

/** A member of an object, and whether the object always contains it. */
export interface Member {
  readonly schema: AnswerSchema;
  readonly isAlwaysPresent: boolean;
}

/** The members of an object by name. */
export type Members = Readonly<Record<string, Member>>;

/** A member that answers contain in every context. */
export const inAll = shownIn("view", "edit", "embed");
/** A member that answers contain in the contexts `view` and `edit`. */
export const inView = shownIn("view", "edit");
/** A member that answers contain in the context `edit`. */
export const inEdit = shownIn("edit");

function shownIn(...contexts: readonly string[]): (schema: AnswerSchema) => Member {
  return (schema) => ({ schema: { ...schema, contexts }, isAlwaysPresent: false });
}

/** Returns a member that every answer contains, in objects to which contexts do not apply. */
export function always(schema: AnswerSchema): Member {
  return { schema, isAlwaysPresent: true };
}

/** Returns a member that only some answers contain. */
export function sometimes(schema: AnswerSchema): Member {
  return { schema, isAlwaysPresent: false };
}

/** Marks a member as one that only the server changes. */
export function readOnly({ schema, ...member }: Member): Member {
  return { ...member, schema: { ...schema, readOnly: true } };
}

/** Returns the schema of an object with members. */
export function record(members: Members): AnswerSchema {
  return { ...json, properties: createProperties(members) };
}

const linkMembers: Members = {
  href: always(address),
  embeddable: sometimes(boolean),
  templated: sometimes(boolean),
  name: sometimes(text),
  taxonomy: sometimes(text),
  post_type: sometimes(text),
  type: sometimes(text),
  id: sometimes(integer),
  count: sometimes(integer),
};

/** The id of the type of `_links`. */
export const linksId = "WordPress#links";
const linkId = "WordPress#link";

function referenceTo(reference: string): AnswerSchema {
  return { ...anything, reference };
}

/** The types of `_links` and its items, keyed by the ids that schemas use to refer to them. */
export const linkDefinitions: ReadonlyMap<string, AnswerDefinition> = new Map([
  [
    linksId,
    {
      id: linksId,
      name: "links",
      schema: { ...mapOf(list(referenceTo(linkId))), description: "Links to related resources, by their relations." },
    },
  ],
  [linkId, { id: linkId, name: "link", schema: { ...record(linkMembers), description: "A link to a resource." } }],
]);

/** Adds the member `_links` to the schema of an object if it is missing. */
export function withLinks(schema: AnswerSchema): AnswerSchema {
  if (schema.properties.some(({ name }) => name === "_links")) {
    return schema;
  }
  const links = { name: "_links", isListed: false, isMarked: false, schema: referenceTo(linksId) };
  return { ...schema, properties: [...schema.properties, links] };
}

/** Whether a member is the `_links` of a WordPress object. */
export function isLinks({ schema }: AnswerProperty): boolean {
  return schema.reference === linksId;
}

/** Returns members as the properties of a schema. */
export function createProperties(members: Members): readonly AnswerProperty[] {
  return Object.entries(members).map(([name, { schema, isAlwaysPresent: isListed }]) => ({
    name,
    isListed,
    isMarked: false,
    schema,
  }));
}
