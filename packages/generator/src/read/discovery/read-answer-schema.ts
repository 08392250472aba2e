import { didYouMean } from "@bothends/xml";
import type { JsonMember, JsonNode } from "../../source/json.js";
import type { AnswerProperty, AnswerReading, AnswerSchema, TypeWord } from "./documents.js";
import { itemsOf, membersOf, stringMember, wrongShape } from "./json-document.js";
import { readEnum, readTypes } from "./read-argument.js";

/** Keywords that say what a value is. */
const read = new Set(
  (
    "$ref type properties required items enum const additionalProperties patternProperties oneOf anyOf title description " +
    "context readonly readOnly format $defs definitions"
  ).split(" "),
);

/** Keywords for people and tools: they say nothing of values. */
const silent = new Set(
  (
    "$schema $id id $comment comment examples example default deprecated writeOnly links contentEncoding contentMediaType " +
    "$vocabulary"
  ).split(" "),
);

/** Keywords that bound values in a way that a type cannot: what is said without them stays true. */
const bounds = new Set(
  (
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems " +
    "minProperties maxProperties contains minContains maxContains propertyNames"
  ).split(" "),
);

/** Keywords without which a type would say something else. */
const refused = new Set(
  (
    "allOf not if then else prefixItems additionalItems dependencies dependentRequired dependentSchemas unevaluatedItems " +
    "unevaluatedProperties $dynamicRef $recursiveRef $anchor $dynamicAnchor extends disallow contentSchema"
  ).split(" "),
);

/** Reports the keywords of one schema that the reader does not read. Those that bound values are collected. */
function checkKeywords(members: ReadonlyMap<string, JsonMember>, reading: AnswerReading): void {
  for (const { name, nameSpan } of members.values()) {
    if (read.has(name) || silent.has(name)) continue;
    if (refused.has(name)) {
      reading.diagnostics.error("ANS002", nameSpan, { message: `The keyword "${name}" is not supported.` });
    } else if (bounds.has(name)) {
      if (!reading.bounds.has(name)) reading.bounds.set(name, nameSpan);
    } else if (reading.own) {
      reading.diagnostics.warning("ANS004", nameSpan, {
        message: `"${name}" is not a JSON Schema keyword.`,
        help: didYouMean(name, read),
      });
    }
  }
}

/** One note for all keywords of a file that bound values. */
export function reportBounds({ bounds: found, diagnostics }: AnswerReading): void {
  const [first] = found.values();
  if (first === undefined) return;
  const names = [...found.keys()].map((name) => `"${name}"`);
  diagnostics.info("ANS003", first, {
    message: `The generated types do not express ${names.join(", ")} in this file.`,
  });
}

/** Reads a schema of answers. What it refers to is read by whoever `reading` tells. */
export function readAnswerSchema(node: JsonNode, reading: AnswerReading): AnswerSchema {
  const { diagnostics } = reading;
  if (node.kind === "scalar" && node.value === true) return nothingSaid(node);
  const members = membersOf(node, diagnostics);
  if (members === undefined || node.kind !== "object") return nothingSaid(node);
  checkKeywords(members, reading);
  const at = (name: string) => members.get(name)?.value;
  const constant = at("const");
  return {
    span: node.span,
    description: stringMember(node, "description"),
    reference: readReference(at("$ref"), reading),
    types: readTypes(at("type"), diagnostics) ?? impliedType(members),
    enum: constant === undefined ? readEnum(at("enum"), diagnostics) : [constant],
    items: readItems(at("items"), reading),
    properties: readProperties(members, reading),
    additional: readAdditional(members, reading),
    alternatives: readAlternatives(at("oneOf") ?? at("anyOf"), reading),
    contexts: readContexts(at("context"), reading),
    readOnly: isTrue(at("readOnly")) || isTrue(at("readonly")),
    format: stringMember(node, "format"),
  };
}

function nothingSaid({ span }: JsonNode): AnswerSchema {
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
  };
}

/** A schema without a type that lists properties or items means objects or lists, to WordPress too. */
function impliedType(members: ReadonlyMap<string, JsonMember>): readonly TypeWord[] | undefined {
  if (members.has("type")) return undefined;
  if (members.has("properties") || members.has("patternProperties")) return ["object"];
  return members.has("items") ? ["array"] : undefined;
}

function readReference(node: JsonNode | undefined, reading: AnswerReading): string | undefined {
  if (node === undefined) return undefined;
  if (node.kind === "scalar" && typeof node.value === "string") return reading.refer(node.value, node.span);
  return wrongShape(node, "a string", reading.diagnostics);
}

function readItems(node: JsonNode | undefined, reading: AnswerReading): AnswerSchema | undefined {
  if (node?.kind !== "array") return node && readAnswerSchema(node, reading);
  if (node.items.length === 0) return undefined;
  reading.diagnostics.error("ANS002", node.span, { message: 'A list of schemas under "items" is not supported.' });
  return undefined;
}

function readProperties(members: ReadonlyMap<string, JsonMember>, reading: AnswerReading): readonly AnswerProperty[] {
  const node = members.get("properties")?.value;
  const properties = node === undefined ? undefined : membersOf(node, reading.diagnostics);
  const required = members.get("required")?.value;
  const listed = new Set(
    required?.kind === "array" ? required.items.map((item) => (item.kind === "scalar" ? item.value : null)) : [],
  );
  for (const item of required?.kind === "array" ? required.items : []) {
    const known = item.kind === "scalar" && typeof item.value === "string" && properties?.has(item.value);
    if (known !== true && reading.own) {
      reading.diagnostics.error("ANS005", item.span, {
        message: `${item.pointer} does not name a property of this schema.`,
      });
    }
  }
  return [...(properties?.values() ?? [])].map(({ name, value }) => ({
    name,
    listed: listed.has(name),
    marked: value.kind === "object" && isTrue(value.members.get("required")?.value),
    schema: readAnswerSchema(value, reading),
  }));
}

/** `additionalProperties: true` says what holds without it; false says that there are none, and servers have some all the same. */
function readAdditional(members: ReadonlyMap<string, JsonMember>, reading: AnswerReading): readonly AnswerSchema[] {
  const additional = members.get("additionalProperties")?.value;
  const patterns = members.get("patternProperties")?.value;
  const own = additional === undefined || isFalse(additional) ? [] : [readAnswerSchema(additional, reading)];
  const matched = patterns === undefined ? [] : [...(membersOf(patterns, reading.diagnostics)?.values() ?? [])];
  return [...own, ...matched.map(({ value }) => readAnswerSchema(value, reading))];
}

function readAlternatives(node: JsonNode | undefined, reading: AnswerReading): readonly AnswerSchema[] {
  if (node === undefined) return [];
  return (itemsOf(node, reading.diagnostics) ?? []).map((arm) => readAnswerSchema(arm, reading));
}

function readContexts(node: JsonNode | undefined, { diagnostics }: AnswerReading): readonly string[] | undefined {
  if (node === undefined) return undefined;
  return itemsOf(node, diagnostics)?.flatMap((item) =>
    item.kind === "scalar" && typeof item.value === "string" ? [item.value] : [],
  );
}

function isTrue(node: JsonNode | undefined): boolean {
  return node?.kind === "scalar" && node.value === true;
}

function isFalse(node: JsonNode): boolean {
  return node.kind === "scalar" && node.value === false;
}
