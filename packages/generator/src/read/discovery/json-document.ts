import type { Diagnostics } from "../../source/diagnostics.js";
import { jsonWithoutCredentials } from "../../source/document-credentials.js";
import { type JsonNode, readJson } from "../../source/json.js";
import { limitHelp, type SourceLimits } from "../../source/source-limits.js";
import type { SourceText } from "../../source/span.js";

const codes = {
  syntax: "IDX002",
  duplicateKey: "IDX004",
  jsonDepth: "IDX008",
  jsonKeys: "LIM007",
  jsonItems: "LIM008",
} as const;

/** Reads an index or a file of JSON Schemas; undefined where it is not JSON or too large. */
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
