import { basename, dirname, join, posix, relative, resolve } from "node:path";
import {
  type Config,
  type ConfigDefaults,
  Diagnostics,
  isInterfaceName,
  listPackageFolders,
  readConfig,
  readConfigFromFlags,
} from "@bothends/generator";
import { findNearestName, isLimit, type SourceLimits, sourceLimits } from "@bothends/generator/diagnostics";
import {
  createSourceReader,
  findCommonFolder,
  findOutputRoot,
  findSourceRoot,
  isFolder,
  listEntries,
  readText,
} from "@bothends/generator/disk";
import { listAddressWords } from "./fetch/hide-secrets.js";
import { CommandError, type Host, UsageError } from "./host.js";
import { findSharedRuntime, readOwnVersion } from "./packed-files.js";
import { formatPath, quoteShellWord, resolveInputPath, withSlashes } from "./paths.js";
import type { ReportFormat, ReportOptions } from "./report/outcome.js";
import { hashBytes, type RecordedSource } from "./run-record.js";

export const configName = "bothends.json";

/** The configuration of a run, and the folders of its sources and its output. */
export interface Project {
  /** The configuration; undefined if it has errors, which are in `diagnostics`. */
  readonly config: Config | undefined;
  readonly diagnostics: Diagnostics;
  /** The folder of the sources. */
  readonly inputRoot: string;
  /** The folder to which the packages' paths are relative. */
  readonly outputRoot: string;
  /** The folder for the vendored runtime, relative to `outputRoot`, if set by an option. */
  readonly runtimeFolder: string | undefined;
  /** The configuration file, if there is one. */
  readonly configFile?: RecordedSource;
}

/** Formats the command that updates the packages, with the options that affect the generated files. */
export function formatGenerateCommand(options: ProjectOptions): string {
  return ["bothends generate", ...listProjectParameters(options)].join(" ");
}

/** Returns the options that affect the generated files, as words of a command line. */
export function listProjectParameters(options: ProjectOptions): readonly string[] {
  const { config, root, wsdl = [], index, out, name, vendorRuntimeIn, limit = [] } = options;
  const switches = (["lenient", "client", "server", "types"] as const).filter((name) => options[name] === true);
  const words = [
    ...(config === undefined ? [] : ["--config", config]),
    ...(root === undefined ? [] : ["--root", root]),
    ...(wsdl.length === 0 ? [] : ["--wsdl", ...wsdl]),
    ...(index === undefined ? [] : ["--index", index]),
    ...(out === undefined ? [] : ["--out", out]),
    ...(name === undefined ? [] : ["--name", name]),
    ...switches.map((option) => `--${option}`),
    ...(options.vendorRuntime === true ? ["--vendor-runtime"] : []),
    ...(vendorRuntimeIn === undefined ? [] : ["--vendor-runtime-in", vendorRuntimeIn]),
    ...limit.flatMap((limitText) => ["--limit", limitText]),
  ];
  return words.map(quoteShellWord);
}

/** Formats the command that fetches an address with the same options. The values of headers may be secret. */
export function formatFetchCommand(address: string, options: FetchOptions): string {
  const [shownAddress = "", ...login] = listAddressWords(address);
  const words = [
    shownAddress,
    ...(options.into === undefined ? [] : ["--into", options.into]),
    ...(options.user === undefined ? login : []),
  ];
  return ["bothends fetch", ...words.map(quoteShellWord), ...listNetworkParameters(options)].join(" ");
}

/** Returns the options of a fetch, except its folder, as words of a command line. */
export function listNetworkParameters({ user, header = [], allowHost = [], timeout }: FetchOptions): readonly string[] {
  const words = [
    ...(user === undefined ? [] : ["--user", user]),
    ...header.flatMap((text) => ["--header", text.replace(/:.*/s, ": …")]),
    ...allowHost.flatMap((name) => ["--allow-host", name]),
    ...(timeout === undefined ? [] : ["--timeout", timeout]),
  ];
  return words.map(quoteShellWord);
}

/** Reads the project from its configuration file, or from options that replace the file. */
export function readProject(options: ProjectOptions, host: Host): Project {
  const hasFlags = options.wsdl !== undefined || options.index !== undefined;
  if (!hasFlags) {
    if (options.out !== undefined || options.name !== undefined) {
      throw new UsageError(
        "--out and --name need --wsdl or --index. A configuration file contains the folders and names of its packages.",
      );
    }
    if (options.lenient === true) {
      throw new UsageError(
        '--lenient needs --wsdl. In a configuration, write "lenient": true in the settings of the interface.',
      );
    }
    if (findParts(options) !== undefined) {
      throw new UsageError("--client, --server and --types need --wsdl or --index.", {
        help: 'In a configuration, leave the package out of "packages".',
      });
    }
    return readProjectFile(options, host);
  }
  if (options.config !== undefined) {
    throw new UsageError("--config cannot be combined with --wsdl or --index.");
  }
  return createFlagProject(options, host);
}

function readProjectFile(options: ProjectOptions, host: Host): Project {
  if (options.newConfig !== undefined) {
    return createProject(
      new TextEncoder().encode(options.newConfig),
      resolve(host.workingFolder, configName),
      options,
      host,
    );
  }
  const path =
    options.config === undefined ? createDefaultConfig(host) : resolveInputPath(options.config, "--config", host);
  const root = getRoot(path, options, host);
  const file = createSourceReader({ root })(withSlashes(relative(root, path)));
  if (file.kind === "problem") {
    throw new CommandError(`Cannot read ${formatPath(host.workingFolder, path)}: ${file.message}.`, {
      help: configHelp.get(file.problem),
    });
  }
  return createProject(file.bytes, path, options, host);
}

const configHelp: ReadonlyMap<string, string> = new Map([
  ["outside", "Set --root to a folder that contains the configuration."],
  ["irregular", "Name the configuration file with --config."],
  ["unreadable", "Check the permissions of the file and of its folders."],
]);

function createProject(bytes: Uint8Array, path: string, options: ProjectOptions, host: Host): Project {
  const root = getRoot(path, options, host);
  const diagnostics = new Diagnostics();
  const text = decodeConfig(bytes, formatPath(host.workingFolder, path));
  const config = readConfig({ path: withSlashes(relative(root, path)), text }, diagnostics, createConfigDefaults());
  const configFile = { path, hash: hashBytes(bytes) };
  return {
    config,
    diagnostics,
    inputRoot: root,
    outputRoot: findOutputRoot({ path: root, workingFolder: root }),
    runtimeFolder: findRuntimeFolderIn(root, options, host) ?? findSharedRuntimeIn(root, config, options),
    configFile,
  };
}

/** Returns the default runtime of generated packages, for a configuration that names none. */
function createConfigDefaults(): ConfigDefaults {
  return { runtime: `^${readOwnVersion()}` };
}

/** Returns the folder that contains the sources of a configuration file. */
function getRoot(path: string, { root }: ProjectOptions, host: Host): string {
  return root === undefined ? dirname(path) : findRootFolder(root, host);
}

function findRootFolder(root: string, { workingFolder }: Host): string {
  const folder = resolve(workingFolder, root);
  if (!isFolder(folder)) {
    throw new UsageError(`--root ${root.slice(0, 200)} is not a folder.`, {
      help: "Name the folder that contains all sources.",
    });
  }
  return folder;
}

/** Returns the folder given by `--vendor-runtime-in`, relative to the folder of the configuration. */
function findRuntimeFolderIn(root: string, { vendorRuntimeIn }: ProjectOptions, host: Host): string | undefined {
  if (vendorRuntimeIn === undefined) {
    return undefined;
  }
  const folder = withSlashes(relative(root, resolve(host.workingFolder, vendorRuntimeIn)));
  if (folder === "" || folder.startsWith("../")) {
    throw new UsageError(
      `--vendor-runtime-in ${vendorRuntimeIn} is not a folder below ${formatPath(host.workingFolder, root)}.`,
      {
        help: "Name a folder inside the folder that contains the configuration.",
      },
    );
  }
  return folder;
}

/**
 * Finds a vendored runtime that another run wrote below the folder of a configuration file that has no setting
 * `runtime`.
 */
function findSharedRuntimeIn(root: string, config: Config | undefined, options: ProjectOptions): string | undefined {
  if (options.vendorRuntime !== true || config === undefined || config.runtimeFolder !== undefined) {
    return undefined;
  }
  const folder = findSharedRuntime(root, join(root, dirname(config.packages.contract.path), "runtime"));
  return folder === undefined ? undefined : withSlashes(relative(root, folder));
}

function createDefaultConfig(host: Host): string {
  const path = resolve(host.workingFolder, configName);
  if (!listEntries(host.workingFolder).includes(configName)) {
    throw new UsageError(`There is no file ${configName} in this folder.`, {
      help: "Create it with npx bothends init, name another file with --config, or use --wsdl or --index with --out.",
      suggestion: "bothends init",
    });
  }
  return path;
}

function decodeConfig(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${path} is not UTF-8.`, { help: "Save the file as UTF-8." });
  }
}

function createFlagProject(options: ProjectOptions, host: Host): Project {
  const wsdl = (options.wsdl ?? []).map((path) => resolveInputPath(path, "--wsdl", host));
  const index = options.index === undefined ? undefined : resolveInputPath(options.index, "--index", host);
  if (options.out === undefined) {
    throw new UsageError("--wsdl and --index need --out, the folder for the generated packages.", {
      suggestion: "--out generated",
    });
  }
  if (options.out.trim() === "") {
    throw new UsageError("--out is empty. Name the folder for the generated packages.", {
      suggestion: "--out generated",
    });
  }
  if (options.name !== undefined) {
    refuseInvalidName(options.name);
  }
  const toAbsolutePath = (path: string) => resolve(host.workingFolder, path);
  const inputs = index === undefined ? wsdl : [...wsdl, index];
  const root =
    options.root === undefined
      ? findSourceRoot({ sources: inputs, workingFolder: host.workingFolder })
      : findRootFolder(options.root, host);
  const getPathBelowRoot = (path: string) => withSlashes(relative(root, path));
  const diagnostics = new Diagnostics();
  const flags = {
    wsdl: wsdl.map(getPathBelowRoot),
    index: index === undefined ? undefined : getPathBelowRoot(index),
    name: options.name,
    siteName: index === undefined ? undefined : findMemberOfIndex(index, "name"),
    folderName: basename(root),
    lenient: options.lenient === true,
    parts: findParts(options),
  };
  const out = toAbsolutePath(options.out);
  const runtime =
    options.vendorRuntimeIn === undefined
      ? findSharedRuntimeFor(out, options, host)
      : toAbsolutePath(options.vendorRuntimeIn);
  // One run writes the runtime and the packages, so the output folder must contain both.
  const outputFolder = runtime === undefined ? out : findCommonFolder(out, runtime);
  const config = readConfigFromFlags(flags, diagnostics, createConfigDefaults());
  return {
    config: config === undefined ? undefined : withPackagesIn(config, withSlashes(relative(outputFolder, out))),
    diagnostics,
    inputRoot: root,
    outputRoot: findOutputRoot({ path: outputFolder, workingFolder: host.workingFolder }),
    runtimeFolder: runtime === undefined ? undefined : withSlashes(relative(outputFolder, runtime)),
  };
}

/** Finds a vendored runtime that another run wrote in the project that contains an output folder. */
function findSharedRuntimeFor(
  out: string,
  { vendorRuntime }: ProjectOptions,
  { workingFolder }: Host,
): string | undefined {
  const folderInside = isFolder(out) ? join(out, "runtime") : out;
  return vendorRuntime === true
    ? findSharedRuntime(findSourceRoot({ sources: [folderInside], workingFolder }), join(out, "runtime"))
    : undefined;
}

/** Refuses a name that interfaces cannot have. */
export function refuseInvalidName(name: string): void {
  if (!isInterfaceName(name)) {
    const suggestedName = toPortableName(name);
    throw new UsageError(`--name "${name.slice(0, 100)}" is not a valid name.`, {
      help: "A name must begin with a lower-case letter and contain only letters, digits and hyphens, at most 64 characters.",
      suggestion: isInterfaceName(suggestedName) ? `--name ${suggestedName}` : undefined,
    });
  }
}

/**
 * Returns the folders to which the commands of the project write, relative to the working folder: the packages, the
 * runtime, and the folders of documents. Empty without a valid configuration.
 */
export function listProjectFolders({ workingFolder }: Host): readonly string[] {
  try {
    const text = readText(join(workingFolder, configName));
    const config = readConfig({ path: configName, text }, new Diagnostics(), createConfigDefaults());
    return config === undefined ? [] : [...listGeneratedFolders(config), ...listDocumentFolders(config)];
  } catch {
    // Without a configuration, there is no project yet.
    return [];
  }
}

function listGeneratedFolders({ packages, runtimeFolder }: Config): readonly string[] {
  return [...listPackageFolders(packages), ...(runtimeFolder === undefined ? [] : [runtimeFolder])];
}

/**
 * Returns the folders that contain the documents of a configuration, to which `fetch` writes. The configuration's own
 * folder is omitted.
 */
export function listDocumentFolders({ interfaces }: Config): readonly string[] {
  const documents = interfaces.flatMap((interfaceConfig) =>
    interfaceConfig.kind === "rest" ? [interfaceConfig.index] : interfaceConfig.wsdl,
  );
  return [...new Set(documents.map(({ path }) => posix.dirname(path)))].filter((folder) => folder !== ".");
}

/** Converts any string to a similar name of lower-case letters, digits and hyphens. */
export function toPortableName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[-\d]+|-+$/g, "");
}

/** Returns the packages that `--client` and `--server` select: none for `--types`, undefined without these options. */
export function findParts({
  client,
  server,
  types,
}: Pick<ProjectOptions, "client" | "server" | "types">): readonly ("client" | "server")[] | undefined {
  if (types === true && (client === true || server === true)) {
    throw new UsageError("--types writes only types, so it cannot be combined with --client or --server.", {
      help: "Leave out --types: clients and servers contain the types that they need.",
    });
  }
  if (client !== true && server !== true) {
    return types === true ? [] : undefined;
  }
  return [...(client === true ? ["client" as const] : []), ...(server === true ? ["server" as const] : [])];
}

function withPackagesIn(config: Config, folder: string): Config {
  const { contract, client, server } = config.packages;
  const movePackage = <P extends { readonly path: string }>(packageConfig: P): P => ({
    ...packageConfig,
    path: posix.join(folder, packageConfig.path),
  });
  return {
    ...config,
    packages: { contract: movePackage(contract), client: movePackage(client), server: movePackage(server) },
  };
}

/**
 * Reads the name or the address of the site from its index; undefined if the index does not contain it, or is invalid.
 * A later step reports an invalid index.
 */
export function findMemberOfIndex(index: string, member: "name" | "home"): string | undefined {
  const file = createSourceReader({ root: dirname(index) })(basename(index));
  try {
    const indexObject: Partial<Record<string, unknown>> | null =
      file.kind === "file" ? JSON.parse(new TextDecoder().decode(file.bytes)) : null;
    const value = indexObject?.[member];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the limits of `--limit name=value`. */
export function readLimits(texts: readonly string[]): Partial<SourceLimits> {
  const limits: { -readonly [K in keyof SourceLimits]?: SourceLimits[K] } = {};
  for (const text of texts) {
    const [, name = "", value] = /^(\w+)=(\d{1,15})$/.exec(text) ?? [];
    if (!isLimit(name)) {
      const limitNames = Object.keys(sourceLimits);
      const similarName = findNearestName(text.replace(/=.*$/s, ""), limitNames);
      throw new UsageError("--limit needs name=value: the name of a limit, and a whole number.", {
        help: `${similarName === undefined ? "" : `Did you mean ${similarName}? `}The limits are ${limitNames.join(", ")}.`,
      });
    }
    limits[name] = Number(value);
  }
  return limits;
}

/** The options that describe one interface and its packages, without a configuration. */
interface InterfaceOptions {
  readonly wsdl?: readonly string[];
  readonly index?: string;
  readonly out?: string;
  readonly name?: string;
  readonly lenient?: boolean;
  readonly client?: boolean;
  readonly server?: boolean;
  readonly types?: boolean;
  /** The folder for the vendored runtime; implies `vendorRuntime`. */
  readonly vendorRuntimeIn?: string;
}

/** The options for sources and output shared by all commands. */
export interface ProjectOptions extends ReportOptions, InterfaceOptions {
  readonly config?: string;
  readonly root?: string;
  readonly vendorRuntime?: boolean;
  /** The values of `--limit`, each of the form `name=value`. */
  readonly limit?: readonly string[];
  /** The text of the `bothends.json` that `init` will write; not an option of the command line. */
  readonly newConfig?: string;
}

/** The options of `bothends generate`. */
export interface GenerateOptions extends ProjectOptions {
  readonly force?: boolean;
  readonly allowNonempty?: boolean;
  readonly dryRun?: boolean;
  readonly watch?: boolean;
}

/** The options of `bothends scaffold server`. */
export interface ScaffoldOptions extends ProjectOptions {
  readonly dryRun?: boolean;
  readonly path?: string;
  readonly allowNonempty?: boolean;
  readonly adapter?: string;
  /** The names of the interfaces. Default: all. */
  readonly interface?: readonly string[];
  /** The values of `--rename`, each of the form `old=new`. */
  readonly rename?: readonly string[];
}

/** The options of `bothends fetch`. */
export interface FetchOptions extends ReportOptions {
  readonly into?: string;
  readonly allowHost?: readonly string[];
  readonly user?: string;
  /** The values of `--header`, each of the form `Name: value`. */
  readonly header?: readonly string[];
  /** The timeout for one document, in seconds. */
  readonly timeout?: string;
  readonly limit?: readonly string[];
  readonly yes?: boolean;
  /** Whether to fetch the documents of an interrupted fetch again. */
  readonly fresh?: boolean;
}

/** The options of `bothends init`. */
export interface InitOptions extends FetchOptions, InterfaceOptions {
  /** Whether to write the runtime beside the packages. Default: true. */
  readonly vendorRuntime?: boolean;
}

/** The options of `bothends diff`. */
export interface DiffOptions extends Omit<ProjectOptions, "format"> {
  readonly format?: ReportFormat | "markdown";
  /** The earlier version to compare with: a git revision, a folder, or a file. */
  readonly base?: string;
  /** The name of the new version, if the command line names it. */
  readonly newName?: string;
  /** The values of `--allow`: levels, and files with allow lists. */
  readonly allow?: readonly string[];
}
