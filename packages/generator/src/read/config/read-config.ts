import type { Config, PackageConfig } from "../../model/config.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { type JsonNode, readJson } from "../../source/json.js";
import { isLimit, type SourceLimits, sourceLimits } from "../../source/source-limits.js";
import type { SourceText, Span } from "../../source/span.js";
import { hyphenate, withAsciiLetters } from "../../source/xml-names.js";
import { ConfigReader, type ConfigText, readPath } from "./config-values.js";
import { isInterfaceName, readInterfaces } from "./read-interfaces.js";

/** The defaults for members that a configuration does not contain. */
export interface ConfigDefaults {
  /** The version range of the runtime in the package.json of generated packages. */
  readonly runtime: string;
}

/** The members of `bothends.json`, for the check of misspelled members. */
export const configMembers = ["$schema", "packages", "runtime", "limits", "interfaces"];

const maxChars = 1024 * 1024;
const documentLimits = { jsonDepth: 16, jsonKeys: 50_000, jsonItems: 100_000 };
const diagnosticCodes = {
  syntax: "CFG001",
  duplicateKey: "CFG002",
  jsonDepth: "CFG014",
  jsonKeys: "CFG014",
  jsonItems: "CFG014",
} as const;

/**
 * Reads `bothends.json`, whose paths are relative to the folder of the file. Reports problems, and returns undefined if
 * there are any.
 */
export function readConfig(source: SourceText, diagnostics: Diagnostics, defaults: ConfigDefaults): Config | undefined {
  const node = readSettingsDocument(source, "The configuration", diagnostics);
  if (node === undefined) {
    return undefined;
  }
  const reader = new ConfigReader(diagnostics);
  const folder = source.path.split("/").slice(0, -1).join("/");
  const owner = { span: node.span, subject: "the configuration" };
  const members = reader.readObject(node, owner.subject, configMembers);
  if (node.kind !== "object") {
    return undefined;
  }
  const packages = readPackages(reader, reader.readRequired(members, "packages", owner), { folder });
  const runtime = readRuntime(reader, members.get("runtime")?.value, { folder, packages });
  const limits = readLimits(reader, members.get("limits")?.value);
  const interfaces = readInterfaces(reader, reader.readRequired(members, "interfaces", owner), folder);
  if (packages === undefined || diagnostics.hasErrors) {
    return undefined;
  }
  return { span: node.span, packages, runtime: defaults.runtime, ...runtime, limits, interfaces };
}

/** Reads `runtime`: the version of the runtime, or the folder that contains the runtime. */
function readRuntime(
  reader: ConfigReader,
  node: JsonNode | undefined,
  { folder, packages }: { readonly folder: string; readonly packages: Packages | undefined },
): Partial<Pick<Config, "runtime" | "runtimeFolder">> {
  if (node?.kind !== "object") {
    const version = reader.readText(node, '"runtime"')?.text;
    return version === undefined ? {} : { runtime: version };
  }
  const members = reader.readObject(node, '"runtime"', ["path"]);
  const path = reader.readText(
    reader.readRequired(members, "path", { span: node.span, subject: '"runtime"' }),
    '"path"',
  );
  const runtimeFolder = path === undefined ? undefined : readPath(reader, path, folder);
  if (path === undefined || runtimeFolder === undefined) {
    return {};
  }
  const overlappingPackage = Object.values(packages ?? {}).find(
    (packageConfig) =>
      containsPath(packageConfig.path, runtimeFolder) || containsPath(runtimeFolder, packageConfig.path),
  );
  if (overlappingPackage !== undefined) {
    const message = `The folder "${runtimeFolder}" of the runtime overlaps the folder "${overlappingPackage.path}" of a package.`;
    reader.diagnostics.error("CFG009", path.span, { message });
  }
  return { runtimeFolder };
}

/**
 * Reads a JSON document with comments: the configuration, or another file with settings. `subject` names the document
 * in messages. The limits on these documents are fixed, because the configuration sets the limits on all other
 * documents.
 */
export function readSettingsDocument(
  source: SourceText,
  subject: string,
  diagnostics: Diagnostics,
): JsonNode | undefined {
  if (source.text.length > maxChars) {
    const message = `${subject} has more than ${maxChars} characters.`;
    diagnostics.error("CFG014", { source, start: 0, end: 0 }, { message });
    return undefined;
  }
  const rules = {
    subject,
    limits: documentLimits,
    canIncreaseLimits: false,
    codes: diagnosticCodes,
  };
  return readJson(source, { ...rules, allowComments: true, portabilityCodes: undefined }, diagnostics);
}

/** Reads the limits that differ from the defaults. */
function readLimits(reader: ConfigReader, node: JsonNode | undefined): Partial<SourceLimits> {
  const limits: { -readonly [Name in keyof SourceLimits]?: SourceLimits[Name] } = {};
  for (const [name, { value }] of reader.readObject(node, '"limits"', Object.keys(sourceLimits))) {
    const count = reader.readCount(value, `"${name}"`);
    if (count !== undefined && isLimit(name)) {
      limits[name] = count;
    }
  }
  return limits;
}

type Packages = Config["packages"];

interface LocatedPackage {
  readonly path: string;
  readonly name: string;
  readonly pathSpan: Span;
  readonly nameSpan: Span;
}

/**
 * Reads the folders and names of the generated packages, or of one package with several parts. The client and the
 * server may be absent; if both are, the contract contains only types. Returns undefined if the contract is absent or a
 * package is invalid.
 */
function readPackages(
  reader: ConfigReader,
  node: JsonNode | undefined,
  { folder }: { readonly folder: string },
): Packages | undefined {
  if (node === undefined) {
    return undefined;
  }
  if (node.kind === "object" && (node.members.has("path") || node.members.has("name"))) {
    const sharedPackage = readPackage(reader, node, { folder, names: ["path", "name", "parts"] });
    const parts = readParts(reader, node.members.get("parts")?.value);
    const createPartConfig = (part: Part): PackageConfig => {
      const isOmitted = part !== "contract" && !parts.includes(part) ? true : undefined;
      return { path: sharedPackage?.path ?? "", name: sharedPackage?.name ?? "", part, isOmitted };
    };
    return (
      sharedPackage && {
        contract: createPartConfig("contract"),
        client: createPartConfig("client"),
        server: createPartConfig("server"),
      }
    );
  }
  const members = reader.readObject(node, '"packages"', ["contract", "client", "server"]);
  const owner = { span: node.span, subject: '"packages"' };
  const contractNode = reader.readRequired(members, "contract", owner);
  const [contract, client, server] = [contractNode, members.get("client")?.value, members.get("server")?.value].map(
    (member) => member && readPackage(reader, member, { folder, names: ["path", "name"] }),
  );
  const isComplete = (["client", "server"] as const).every((name) => !members.has(name) || { client, server }[name]);
  if (contract === undefined || !isComplete) {
    return undefined;
  }
  checkCollisions(
    reader,
    [contract, client, server].filter((locatedPackage) => locatedPackage !== undefined),
  );
  const createPackage = (locatedPackage: LocatedPackage | undefined): PackageConfig => {
    const { path, name } = locatedPackage ?? contract;
    return { path, name, part: undefined, isOmitted: locatedPackage === undefined ? true : undefined };
  };
  return { contract: createPackage(contract), client: createPackage(client), server: createPackage(server) };
}

type Part = "contract" | "client" | "server";

const partNames = ["types", "client", "server"];

/** Reads `parts`, which lists the contents of a combined package: types, client, server. Default: all three. */
function readParts(reader: ConfigReader, node: JsonNode | undefined): readonly string[] {
  if (node === undefined) {
    return partNames;
  }
  const parts = reader.readTexts(node, '"parts"');
  for (const { text, span } of parts) {
    if (!partNames.includes(text)) {
      const message = `The value "${text}" in "parts" is not allowed. Use "types", "client" or "server".`;
      reader.diagnostics.error("CFG005", span, { message });
    }
  }
  if (node.kind === "array" && node.items.length === 0) {
    reader.diagnostics.error("CFG005", node.span, { message: '"parts" must have at least one value.' });
  }
  return parts.map(({ text }) => text);
}

function readPackage(
  reader: ConfigReader,
  node: JsonNode,
  { folder, names }: { readonly folder: string; readonly names: readonly string[] },
): LocatedPackage | undefined {
  const owner = { span: node.span, subject: "a package" };
  const members = reader.readObject(node, owner.subject, names);
  const path = reader.readText(reader.readRequired(members, "path", owner), '"path"');
  const name = reader.readText(reader.readRequired(members, "name", owner), '"name"');
  const resolvedPath = path === undefined ? undefined : readPath(reader, path, folder);
  if (path === undefined || name === undefined || resolvedPath === undefined || !isPackageName(reader, name)) {
    return undefined;
  }
  return { path: resolvedPath, name: name.text, pathSpan: path.span, nameSpan: name.span };
}

function isPackageName(reader: ConfigReader, { text, span }: ConfigText): boolean {
  if (
    text.length <= 214 &&
    /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(text) &&
    text !== "node_modules"
  ) {
    return true;
  }
  reader.diagnostics.error("CFG007", span, { message: `The name "${text}" is not a valid npm package name.` });
  return false;
}

// Reports packages with overlapping folders, because a file must not belong to two package.json files.
function checkCollisions(reader: ConfigReader, packages: readonly LocatedPackage[]): void {
  packages.forEach((packageConfig, index) => {
    for (const earlierPackage of packages.slice(0, index)) {
      if (
        containsPath(earlierPackage.path, packageConfig.path) ||
        containsPath(packageConfig.path, earlierPackage.path)
      ) {
        const message = `The folders "${earlierPackage.path}" and "${packageConfig.path}" of two packages overlap.`;
        reader.diagnostics.error("CFG009", packageConfig.pathSpan, { message });
      }
      if (earlierPackage.name === packageConfig.name) {
        reader.diagnostics.error("CFG009", packageConfig.nameSpan, {
          message: `Two packages have the name "${packageConfig.name}".`,
        });
      }
    }
  });
}

function containsPath(folder: string, path: string): boolean {
  return `${path.toLowerCase()}/`.startsWith(`${folder.toLowerCase()}/`);
}

/** The command-line flags that replace a configuration. Paths are relative to the root and use `/`. */
export interface ConfigFlags {
  readonly wsdl: readonly string[];
  readonly index: string | undefined;
  /** The name of the interface, which is also the prefix of package names. Default: the name of the first file. */
  readonly name: string | undefined;
  /** The name of the site that the index describes. Used if the file name is too generic. */
  readonly siteName?: string | undefined;
  /** The name of the folder that contains all sources. Used if no better name is available. */
  readonly folderName?: string | undefined;
  /** Whether unresolved references are reported as warnings instead of errors. */
  readonly lenient?: boolean;
  /**
   * The packages to generate in addition to the contract. Default: both. With an empty list, only types are generated.
   */
  readonly parts?: readonly ("client" | "server")[] | undefined;
}

/** The path that messages show for the generated configuration text if all settings come from the command line. */
export const commandLinePath = "(command line)";

/**
 * Creates a configuration with at most one interface of each kind from command-line flags. The flags are converted to
 * the text of a `bothends.json`, so that one reader checks flags and files, and every problem has a position.
 */
export function readConfigFromFlags(
  flags: ConfigFlags,
  diagnostics: Diagnostics,
  defaults: ConfigDefaults,
): Config | undefined {
  const text = `${JSON.stringify(readConfigObject(flags), null, 2)}\n`;
  return readConfig({ path: commandLinePath, text }, diagnostics, defaults);
}

function readConfigObject({
  wsdl,
  index,
  name,
  siteName = "",
  folderName = "",
  lenient = false,
  parts = ["client", "server"],
}: ConfigFlags): object {
  const [firstWsdl] = wsdl;
  const soapName =
    firstWsdl === undefined ? undefined : (name ?? deriveInterfaceName([...listPathNames(firstWsdl), folderName]));
  const preferredRestName =
    index === undefined
      ? undefined
      : (name ?? deriveInterfaceName(listRestNameCandidates(index, { siteName, folderName }), "site"));
  const restName =
    preferredRestName !== undefined && preferredRestName === soapName ? `${preferredRestName}-rest` : preferredRestName;
  const packagePrefix = soapName ?? restName ?? "";
  return {
    packages: Object.fromEntries(
      ["contract", ...parts].map((part) => [part, { path: part, name: `${hyphenate(packagePrefix)}-${part}` }]),
    ),
    interfaces: {
      ...(soapName === undefined ? {} : { [soapName]: { wsdl, ...(lenient ? { lenient } : {}) } }),
      ...(restName === undefined ? {} : { [restName]: { index } }),
    },
  };
}

/** Returns the names in a path: the file name without its extension, then the folders, innermost first. */
function listPathNames(path: string): readonly string[] {
  const [file = "", ...folders] = path.split("/").reverse();
  return [file.replace(/\.[^.]*$/, ""), ...folders];
}

/** File names that do not identify a site. */
const genericNames: ReadonlySet<string> = new Set([
  "index",
  "wp-json",
  "wp_json",
  "api",
  "rest",
  "routes",
  "discovery",
]);

function listRestNameCandidates(
  path: string,
  { siteName, folderName }: { readonly siteName: string; readonly folderName: string },
): readonly string[] {
  const [file = "", ...folders] = listPathNames(path);
  const names = genericNames.has(file.toLowerCase()) ? [siteName] : [file, siteName];
  return [...names, ...folders, folderName];
}

/**
 * Derives the name of an interface from the first string that contains a letter: `Stock Quote.v2` becomes
 * `stock-Quote-v2`.
 */
export function deriveInterfaceName(texts: readonly string[], fallback = "service"): string {
  return texts.map(toInterfaceName).find(isInterfaceName) ?? fallback;
}

function toInterfaceName(text: string): string {
  const hyphenatedName = withAsciiLetters(text)
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replace(/^[-0-9]+/, "")
    .replace(/-$/, "")
    .slice(0, 64);
  // Converts the capitals at the beginning to lower case, except a last capital that begins the next word: `GDSQueue`
  // becomes `gdsQueue`.
  return hyphenatedName.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z]+)/, (capitals) => capitals.toLowerCase());
}
