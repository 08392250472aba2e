import type { Config } from "../../model/config.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { type JsonNode, readJson } from "../../source/json.js";
import { isLimit, type SourceLimits, sourceLimits } from "../../source/source-limits.js";
import type { SourceText } from "../../source/span.js";
import { readInterfaces } from "./interfaces.js";
import { readPackages } from "./packages.js";
import { Shape } from "./shape.js";

/** What the configuration itself does not say. */
export interface ConfigDefaults {
  /** What generated packages say of the runtime. */
  readonly runtime: string;
}

export const configNames = ["$schema", "packages", "runtime", "limits", "interfaces"];

const maxChars = 1024 * 1024;
const documentLimits = { jsonDepth: 16, jsonKeys: 50_000, jsonItems: 100_000 };
const codes = {
  syntax: "CFG001",
  duplicateKey: "CFG002",
  jsonDepth: "CFG014",
  jsonKeys: "CFG014",
  jsonItems: "CFG014",
} as const;

/** Reads `bothends.json`; its paths are relative to its own folder. Undefined when it is wrong, and then that is reported. */
export function readConfig(source: SourceText, diagnostics: Diagnostics, defaults: ConfigDefaults): Config | undefined {
  const node = readDocument(source, diagnostics);
  if (node === undefined) {
    return undefined;
  }
  const shape = new Shape(diagnostics);
  const folder = source.path.split("/").slice(0, -1).join("/");
  const of = { span: node.span, what: "the configuration" };
  const members = shape.object(node, of.what, configNames);
  if (node.kind !== "object") {
    return undefined;
  }
  const packages = readPackages(shape, shape.required(members, "packages", of), { folder });
  const runtime = shape.text(members.get("runtime")?.value, '"runtime"')?.text ?? defaults.runtime;
  const limits = readLimits(shape, members.get("limits")?.value);
  const interfaces = readInterfaces(shape, shape.required(members, "interfaces", of), folder);
  if (packages === undefined || diagnostics.hasErrors) {
    return undefined;
  }
  return { span: node.span, packages, runtime, limits, interfaces };
}

/** JSON with comments. Its limits are fixed: it is the document that sets the others. */
function readDocument(source: SourceText, diagnostics: Diagnostics): JsonNode | undefined {
  if (source.text.length > maxChars) {
    const message = `The configuration has more than ${maxChars} characters.`;
    diagnostics.error("CFG014", { source, start: 0, end: 0 }, { message });
    return undefined;
  }
  const rules = { subject: "The configuration", limits: documentLimits, limitHelp: undefined, codes };
  return readJson(source, { ...rules, allowComments: true, allowProto: true }, diagnostics);
}

/** The limits that are not the default ones. */
function readLimits(shape: Shape, node: JsonNode | undefined): Partial<SourceLimits> {
  const limits: { -readonly [Name in keyof SourceLimits]?: SourceLimits[Name] } = {};
  for (const [name, { value }] of shape.object(node, '"limits"', Object.keys(sourceLimits))) {
    const count = shape.count(value, `"${name}"`);
    if (count !== undefined && isLimit(name)) limits[name] = count;
  }
  return limits;
}
