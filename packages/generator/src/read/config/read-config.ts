import type { Config, PackageConfig } from "../../model/config.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { type JsonNode, readJson } from "../../source/json.js";
import { isLimit, type SourceLimits, sourceLimits } from "../../source/source-limits.js";
import type { SourceText, Span } from "../../source/span.js";
import { type ConfigText, readPath, Shape } from "./config-values.js";
import { readInterfaces } from "./read-interfaces.js";

type Packages = Config["packages"];

interface Placed {
  readonly path: string;
  readonly name: string;
  readonly pathSpan: Span;
  readonly nameSpan: Span;
}

/** The folders and names of the three generated packages, or of one that holds all; undefined where one of them is missing or wrong. */
function readPackages(
  shape: Shape,
  node: JsonNode | undefined,
  { folder }: { readonly folder: string },
): Packages | undefined {
  const names = ["contract", "client", "server"];
  if (node === undefined) {
    return undefined;
  }
  if (node.kind === "object" && (node.members.has("path") || node.members.has("name"))) {
    const one = readPackage(shape, node, folder);
    return one && { contract: partOf(one, "contract"), client: partOf(one, "client"), server: partOf(one, "server") };
  }
  const members = shape.object(node, '"packages"', names);
  const [contract, client, server] = names.map((name) => {
    const member = shape.required(members, name, { span: node.span, what: '"packages"' });
    return member === undefined ? undefined : readPackage(shape, member, folder);
  });
  if (contract === undefined || client === undefined || server === undefined) {
    return undefined;
  }
  checkCollisions(shape, [contract, client, server]);
  return { contract: bare(contract), client: bare(client), server: bare(server) };
}

function bare({ path, name }: Placed): PackageConfig {
  return { path, name, part: undefined };
}

function partOf({ path, name }: Placed, part: PackageConfig["part"]): PackageConfig {
  return { path, name, part };
}

function readPackage(shape: Shape, node: JsonNode, folder: string): Placed | undefined {
  const of = { span: node.span, what: "a package" };
  const members = shape.object(node, of.what, ["path", "name"]);
  const path = shape.text(shape.required(members, "path", of), '"path"');
  const name = shape.text(shape.required(members, "name", of), '"name"');
  const resolved = path === undefined ? undefined : readPath(shape, path, folder);
  if (path === undefined || name === undefined || resolved === undefined || !isPackageName(shape, name)) {
    return undefined;
  }
  return { path: resolved, name: name.text, pathSpan: path.span, nameSpan: name.span };
}

function isPackageName(shape: Shape, { text, span }: ConfigText): boolean {
  if (
    text.length <= 214 &&
    /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(text) &&
    text !== "node_modules"
  ) {
    return true;
  }
  shape.diagnostics.error("CFG007", span, { message: `"${text}" is not a valid npm package name.` });
  return false;
}

// A folder inside another package's folder would belong to two manifests.
function checkCollisions(shape: Shape, packages: readonly Placed[]): void {
  packages.forEach((each, index) => {
    for (const other of packages.slice(0, index)) {
      if (contains(other.path, each.path) || contains(each.path, other.path)) {
        const message = `The folders "${other.path}" and "${each.path}" of two packages overlap.`;
        shape.diagnostics.error("CFG009", each.pathSpan, { message });
      }
      if (other.name === each.name) {
        shape.diagnostics.error("CFG009", each.nameSpan, { message: `Two packages have the name "${each.name}".` });
      }
    }
  });
}

function contains(folder: string, path: string): boolean {
  return `${path.toLowerCase()}/`.startsWith(`${folder.toLowerCase()}/`);
}

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
