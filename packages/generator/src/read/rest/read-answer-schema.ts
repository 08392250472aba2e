import { suggestName } from "@bothends/xml";
import type { JsonValue } from "../../model/rest.js";
import { type JsonMember, type JsonNode, toJsonValue } from "../../source/json.js";
import { withParts } from "../../source/span.js";
import {
  type AnswerProperty,
  type AnswerSchema,
  type AnswerSchemaContext,
  findStringMember,
  type JsonTypeName,
  readList,
  readMembers,
  reportWrongType,
} from "./documents.js";
import { getObjectSpan } from "./object-spans.js";
import { readEnum, readFormat, readTypes } from "./read-endpoint.js";

/** The JSON Schema keywords that determine the type of a value. */
const typeKeywords = new Set(
  (
    "$ref type properties required items enum const additionalProperties patternProperties oneOf anyOf title description " +
    "context readonly readOnly format $defs definitions"
  ).split(" "),
);

/** The JSON Schema keywords for documentation and tools, which do not affect types. */
const annotationKeywords = new Set(
  (
    "$schema $id id $comment comment examples example default deprecated writeOnly links contentEncoding contentMediaType " +
    "$vocabulary"
  ).split(" "),
);

/**
 * The JSON Schema keywords that restrict values more than a type can. A type generated without them is still correct.
 */
const restrictingKeywords = new Set(
  (
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems " +
    "minProperties maxProperties contains minContains maxContains propertyNames"
  ).split(" "),
);

/**
 * The unsupported JSON Schema keywords. They affect the type of a value, so a type generated without them would be
 * wrong.
 */
const unsupportedKeywords = new Set(
  (
    "allOf not if then else prefixItems additionalItems dependencies dependentRequired dependentSchemas unevaluatedItems " +
    "unevaluatedProperties $dynamicRef $recursiveRef $anchor $dynamicAnchor extends disallow contentSchema"
  ).split(" "),
);

/** Reports all keywords of a file that restrict values, in one diagnostic. */
export function reportRestrictingKeywords({ foundRestrictions, diagnostics }: AnswerSchemaContext): void {
  const [firstSpan] = foundRestrictions.values();
  if (firstSpan === undefined) {
    return;
  }
  const names = [...foundRestrictions.keys()].map((name) => `"${name}"`);
  diagnostics.info("ANS003", firstSpan, {
    message: `The generated types do not express these keywords of the file: ${names.join(", ")}.`,
  });
}

/** Reads an answer schema. Its references are resolved by `context.refer`. */
export function readAnswerSchema(node: JsonNode, context: AnswerSchemaContext): AnswerSchema {
  const { diagnostics } = context;
  if (node.kind === "scalar" && node.value === true) {
    return createAnySchema(node);
  }
  const members = readMembers(node, diagnostics);
  if (members === undefined || node.kind !== "object") {
    return createAnySchema(node);
  }
  checkKeywords(members, context);
  const findMemberValue = (name: string) => members.get(name)?.value;
  const constant = findMemberValue("const");
  return {
    span: getObjectSpan(node),
    description: findStringMember(node, "description"),
    reference: readReference(findMemberValue("$ref"), context),
    types: readTypes(findMemberValue("type"), diagnostics) ?? findImpliedType(members),
    enum: constant === undefined ? readEnum(findMemberValue("enum"), diagnostics) : [constant],
    items: readItems(findMemberValue("items"), context),
    properties: readProperties(members, context),
    additional: readAdditional(members, context),
    alternatives: readAlternatives(findMemberValue("oneOf") ?? findMemberValue("anyOf"), context),
    contexts: readContexts(findMemberValue("context"), context),
    readOnly: isTrue(findMemberValue("readOnly")) || isTrue(findMemberValue("readonly")),
    format: readFormat(members),
    restrictions: readRestrictions(members),
  };
}

/** Reports the unsupported keywords of a schema, and collects the keywords that restrict values. */
function checkKeywords(members: ReadonlyMap<string, JsonMember>, context: AnswerSchemaContext): void {
  for (const { name, nameSpan } of members.values()) {
    if (typeKeywords.has(name) || annotationKeywords.has(name)) {
      continue;
    }
    if (unsupportedKeywords.has(name)) {
      context.diagnostics.error("ANS002", nameSpan, { message: `The keyword "${name}" is not supported.` });
    } else if (restrictingKeywords.has(name)) {
      if (!context.foundRestrictions.has(name)) {
        context.foundRestrictions.set(name, nameSpan);
      }
    } else if (context.isUserFile) {
      context.diagnostics.warning("ANS004", nameSpan, {
        message: `The member "${name}" is not a JSON Schema keyword.`,
        help: suggestName(name, typeKeywords),
      });
    }
  }
}

function readRestrictions(members: ReadonlyMap<string, JsonMember>): ReadonlyMap<string, JsonValue> {
  const restrictions = [...members.values()].flatMap(({ name, value }): readonly (readonly [string, JsonValue])[] => {
    const isClosed = name === "additionalProperties" && isFalse(value);
    return restrictingKeywords.has(name) || name === "default" || isClosed ? [[name, toJsonValue(value)]] : [];
  });
  return new Map(restrictions);
}

/** Returns a schema that allows every value. */
export function createAnySchema({ span }: Pick<JsonNode, "span">): AnswerSchema {
  return {
    span,
    description: undefined,
    reference: undefined,
    types: undefined,
    enum: undefined,
    items: undefined,
    properties: [],
    additional: [],
    alternatives: [],
    contexts: undefined,
    readOnly: false,
    format: undefined,
    restrictions: new Map(),
  };
}

/**
 * Returns the type that WordPress assumes for a schema without `type`: object if the schema has properties, array if
 * the schema has items.
 */
function findImpliedType(members: ReadonlyMap<string, JsonMember>): readonly JsonTypeName[] | undefined {
  if (members.has("type")) {
    return undefined;
  }
  if (members.has("properties") || members.has("patternProperties")) {
    return ["object"];
  }
  return members.has("items") ? ["array"] : undefined;
}

function readReference(node: JsonNode | undefined, context: AnswerSchemaContext): string | undefined {
  if (node === undefined) {
    return undefined;
  }
  if (node.kind === "scalar" && typeof node.value === "string") {
    return context.refer(node.value, node.span);
  }
  return reportWrongType(node, "a string", context.diagnostics);
}

function readItems(node: JsonNode | undefined, context: AnswerSchemaContext): AnswerSchema | undefined {
  if (node?.kind !== "array") {
    return node && readAnswerSchema(node, context);
  }
  if (node.items.length === 0) {
    return undefined;
  }
  if (!context.isUserFile) {
    return reportWrongType(node, "a schema", context.diagnostics);
  }
  context.diagnostics.error("ANS002", node.span, { message: 'A list of schemas under "items" is not supported.' });
  return undefined;
}

function readProperties(
  members: ReadonlyMap<string, JsonMember>,
  context: AnswerSchemaContext,
): readonly AnswerProperty[] {
  const node = members.get("properties")?.value;
  const properties = node === undefined ? undefined : readMembers(node, context.diagnostics);
  const requiredNode = members.get("required")?.value;
  const requiredSpans = new Map(
    requiredNode?.kind === "array"
      ? requiredNode.items.map((item) => [item.kind === "scalar" ? item.value : null, item.span] as const)
      : [],
  );
  for (const item of requiredNode?.kind === "array" ? requiredNode.items : []) {
    const isProperty = item.kind === "scalar" && typeof item.value === "string" && properties?.has(item.value);
    if (isProperty !== true && context.isUserFile) {
      context.diagnostics.error("ANS005", item.span, {
        message: `The value at ${item.pointer} does not name a property of this schema.`,
      });
    }
  }
  return [...(properties?.values() ?? [])].map(({ name, value }) => {
    const schema = readAnswerSchema(value, context);
    const listedSpan = requiredSpans.get(name);
    return {
      name,
      isListed: listedSpan !== undefined,
      isMarked: value.kind === "object" && isTrue(value.members.get("required")?.value),
      schema:
        listedSpan === undefined ? schema : { ...schema, span: withParts(schema.span, [["required", listedSpan]]) },
    };
  });
}

/**
 * Reads the schemas of additional members. `additionalProperties: false` has no effect, because servers send additional
 * members anyway.
 */
function readAdditional(
  members: ReadonlyMap<string, JsonMember>,
  context: AnswerSchemaContext,
): readonly AnswerSchema[] {
  const additional = members.get("additionalProperties")?.value;
  const patterns = members.get("patternProperties")?.value;
  const additionalSchemas =
    additional === undefined || isFalse(additional) ? [] : [readAnswerSchema(additional, context)];
  const patternMembers =
    patterns === undefined ? [] : [...(readMembers(patterns, context.diagnostics)?.values() ?? [])];
  return [...additionalSchemas, ...patternMembers.map(({ value }) => readAnswerSchema(value, context))];
}

function readAlternatives(node: JsonNode | undefined, context: AnswerSchemaContext): readonly AnswerSchema[] {
  if (node === undefined) {
    return [];
  }
  return (readList(node, context.diagnostics) ?? []).map((member) => readAnswerSchema(member, context));
}

function readContexts(node: JsonNode | undefined, { diagnostics }: AnswerSchemaContext): readonly string[] | undefined {
  if (node === undefined) {
    return undefined;
  }
  return readList(node, diagnostics)?.flatMap((item) =>
    item.kind === "scalar" && typeof item.value === "string" ? [item.value] : [],
  );
}

function isTrue(node: JsonNode | undefined): boolean {
  return node?.kind === "scalar" && node.value === true;
}

function isFalse(node: JsonNode): boolean {
  return node.kind === "scalar" && node.value === false;
}
