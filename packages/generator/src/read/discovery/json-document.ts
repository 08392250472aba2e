import { jsonWithoutCredentials } from "../../source/credentials.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { type JsonMember, type JsonNode, type JsonObjectNode, readJson } from "../../source/json.js";
import { limitHelp, type SourceLimits } from "../../source/source-limits.js";
import type { SourceText } from "../../source/span.js";

const codes = {
  syntax: "IDX002",
  duplicateKey: "IDX004",
  jsonDepth: "IDX008",
  jsonKeys: "LIM007",
  jsonItems: "LIM008",
} as const;

/** Reads an index or a file of JSON Schemas; undefined if it is not JSON or is too large. */
export function readJsonDocument(
  source: SourceText,
  limits: SourceLimits,
  diagnostics: Diagnostics,
): JsonNode | undefined {
  const help = (name: "jsonDepth" | "jsonKeys" | "jsonItems") => limitHelp(name, limits);
  const rules = { subject: "The file", limits, limitHelp: help, codes };
  const document = readJson(source, { ...rules, allowComments: false, allowProto: false }, diagnostics);
  return document && /@|\\u0040/.test(source.text) ? jsonWithoutCredentials(document, diagnostics) : document;
}

/** Reports a value of the wrong kind. */
export function reportKind(node: JsonNode, expected: string, diagnostics: Diagnostics): undefined {
  diagnostics.error("IDX011", node.span, {
    message: `${node.pointer === "" ? "The document" : node.pointer} is ${describeKind(node)}, not ${expected}.`,
  });
  return undefined;
}

/** Returns the members of an object, or none for `[]`, as PHP writes an empty object. Reports other values and returns undefined. */
export function readMembers(node: JsonNode, diagnostics: Diagnostics): ReadonlyMap<string, JsonMember> | undefined {
  if (node.kind === "object") {
    return node.members;
  }
  if (node.kind === "array" && node.items.length === 0) {
    return new Map();
  }
  return reportKind(node, "an object", diagnostics);
}

/** Returns the members of an object. A list is accepted too, because PHP writes an object with the names 0, 1, … as a list. */
export function readNamedMembers(
  node: JsonNode,
  diagnostics: Diagnostics,
): ReadonlyMap<string, JsonMember> | undefined {
  if (node.kind !== "array" || node.items.length === 0) {
    return readMembers(node, diagnostics);
  }
  diagnostics.warning("IDX016", node.span, { message: `${node.pointer} is an object, but is written as a list.` });
  return new Map(
    node.items.map((value, index) => [String(index), { name: String(index), nameSpan: value.span, value }]),
  );
}

/** Returns the items of a list. An object with numeric names is accepted too, because PHP writes a list with gaps in this way. */
export function readList(node: JsonNode, diagnostics: Diagnostics): readonly JsonNode[] | undefined {
  if (node.kind === "array") {
    return node.items;
  }
  if (node.kind !== "object" || ![...node.members.keys()].every((key) => /^\d+$/.test(key))) {
    return reportKind(node, "a list", diagnostics);
  }
  diagnostics.warning("IDX013", node.span, { message: `${node.pointer} is a list, but is written as an object.` });
  return [...node.members.values()].map((member) => member.value);
}

/** Returns the value of a member that is a string; undefined otherwise. */
export function stringMember(node: JsonObjectNode, name: string): string | undefined {
  const value = node.members.get(name)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
}

function describeKind(node: JsonNode): string {
  if (node.kind === "object") {
    return "an object";
  }
  if (node.kind === "array") {
    return "a list";
  }
  return node.value === null ? "null" : `a ${typeof node.value}`;
}
