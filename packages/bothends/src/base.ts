import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, posix, relative, resolve } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { readSnapshot, type Side, writeSnapshot } from "@bothends/diff";
import {
  type Config,
  type Contract,
  Diagnostics,
  type FileRead,
  getPosition,
  type InterfaceConfig,
  planFiles,
  type ReadFile,
  readConfig,
  readContract,
  type SourceLimits,
  type Span,
} from "@bothends/generator";
import { UsageError } from "./host.js";
import { formatPath, withSlashes } from "./paths.js";
import { type CurrentSources, createOldReader, createReaderIn, findReplacedInterface } from "./replaced-source.js";
import { replaceFile } from "./run-record.js";

/** The project whose sources are compared with an earlier version. */
export interface BaseProject extends CurrentSources {
  /** The folder of the packages. */
  readonly outputRoot: string;
  /** The absolute path of the configuration file, if there is one. */
  readonly configPath: string | undefined;
}

/** An earlier version of the sources, the base of a comparison. */
export interface Base {
  readonly side: Side;
  /** The names of the interfaces that the base describes. Absent if the base describes all interfaces. */
  readonly onlyInterfaces?: readonly string[];
  /** Why other interfaces are not compared; absent if the user named a file of one interface. */
  readonly note?: string;
  /**
   * Converts a path in the base's contract to the path of the old file, relative to the input root. Absent if both
   * paths are equal.
   */
  readonly getOldPath?: (path: string) => string;
  /** Whether the base is a git commit. */
  readonly isCommit?: true;
}

/**
 * Reads the base given by `--base` or as the first argument: a file, a folder, or a revision. Throws `UsageError` if it
 * cannot be read.
 */
export function readBase(base: string, project: BaseProject): Base {
  // If the value is an unset shell variable, it is empty, which would mean the working folder.
  if (base.trim() === "") {
    throw new UsageError("The name of the old version is empty.", {
      help: "Name a git revision, a folder, or a file with the old schemas.",
    });
  }
  const path = resolve(project.workingFolder, base);
  const fileStatus = findStatus(path);
  const name = formatPath(project.workingFolder, path);
  if (fileStatus?.isFile() === true) {
    return readFileBase(path, name, project);
  }
  if (fileStatus?.isDirectory() === true) {
    return readFolderBase(path, name, project);
  }
  const commit = findCommit(project.inputRoot, base);
  const side = commit && createCommitSide(base, commit, project);
  if (side === undefined) {
    const isInRepository = runGit(project.inputRoot, ["rev-parse", "--show-prefix"]) !== undefined;
    if (!isInRepository || !hasCommits(project.inputRoot)) {
      const reason = isInRepository ? "the git repository has no commits" : "the sources are not in a git repository";
      throw new UsageError(
        `The old version, ${base.slice(0, 200)}, is neither a file nor a folder. It is not a revision either, because ${reason}.`,
        {
          help: `${isInRepository ? "Commit the old schemas, or name a file or a folder with them" : "Name a file or a folder with the old schemas"}. Without --base, diff compares with the last run of generate.`,
        },
      );
    }
    throw new UsageError(`The old version, ${base.slice(0, 200)}, is not a file, a folder, or a git revision.`, {
      help: "Name a folder or a file with the old schemas, or a commit, a branch or a tag. A shallow clone contains only a few commits.",
    });
  }
  return { side };
}

/** Returns the status of a file or folder; undefined if there is none, as for a path that is too long. */
function findStatus(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENAMETOOLONG") {
      return undefined;
    }
    throw error;
  }
}

/**
 * Reads the default base: all sources at git's HEAD, or else the contract of the last run; undefined if neither exists.
 */
export function readDefaultBase(project: BaseProject, head: Commit | undefined): Base | undefined {
  if (head !== undefined) {
    const readFile = createCommitReader(head, project.limits.fileBytes);
    const config = findConfigIn(readFile, project);
    if (config !== undefined && listSources(config).every((path) => readFile(path).kind === "file")) {
      return { side: createCommitSide("HEAD", head, project), isCommit: true };
    }
  }
  const contract = readSnapshotFile(join(project.outputRoot, getSnapshotPath(project.config)));
  return contract === undefined ? undefined : { side: readSnapshotSide("the last run", contract, project) };
}

/**
 * Reads the configuration file at git's HEAD; undefined if HEAD does not contain the file. If the command line replaces
 * the configuration file, returns the present configuration.
 */
function findConfigIn(readFile: ReadFile, { config, configPath, inputRoot }: BaseProject): Config | undefined {
  if (configPath === undefined) {
    return config;
  }
  const path = withSlashes(relative(inputRoot, configPath));
  const file = readFile(path);
  return file.kind === "file"
    ? (readConfig({ path, text: decodeConfig(file.bytes, "HEAD") }, new Diagnostics(), { runtime: config.runtime }) ??
        config)
    : undefined;
}

/** Returns the paths of the documents that a configuration names, relative to the input root. */
function listSources({ interfaces }: Config): readonly string[] {
  return interfaces.flatMap((config) =>
    config.kind === "rest" ? [config.index.path] : config.wsdl.map(({ path }) => path),
  );
}

function createCommitSide(revision: string, commit: Commit, project: BaseProject): Side {
  const { configPath, inputRoot, limits } = project;
  return getSide(`${revision} (${commit.id.slice(0, 8)})`, {
    ...project,
    readFile: createCommitReader(commit, limits.fileBytes),
    configPath: configPath === undefined ? undefined : withSlashes(relative(inputRoot, configPath)),
  });
}

interface OldSources {
  readonly readFile: ReadFile;
  /** The path with which `readFile` reads the configuration. */
  readonly configPath: string | undefined;
  readonly config: Config;
  readonly limits: SourceLimits;
  /** Returns the path of a file for messages. Default: the path with which `readFile` reads it. */
  readonly getOldPath?: (path: string) => string;
}

function getSide(name: string, { readFile, configPath, config: currentConfig, limits, getOldPath }: OldSources): Side {
  const file = configPath === undefined ? undefined : readFile(configPath);
  const diagnostics = new Diagnostics();
  const config =
    file?.kind === "file" && configPath !== undefined
      ? readConfig({ path: configPath, text: decodeConfig(file.bytes, name) }, diagnostics, {
          runtime: currentConfig.runtime,
        })
      : currentConfig;
  const result = config && readContract({ readFile, config, limits });
  const [error] = [...diagnostics.all, ...(result?.diagnostics ?? [])].filter(({ severity }) => severity === "error");
  if (result === undefined || error !== undefined) {
    throw new UsageError(
      `The base ${name} cannot be read: ${error === undefined ? "bothends.json" : formatPosition(error.span, getOldPath)}: ${error?.message}`,
      {
        help: "Nothing was compared. Name another base with --base.",
      },
    );
  }
  return { name, contract: result.contract, plan: result.plan };
}

function formatPosition({ source, start }: Span, getOldPath = (path: string) => path): string {
  const { line, column } = getPosition(source, start);
  return `${getOldPath(source.path)}:${line}:${column}`;
}

function decodeConfig(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`The configuration of the base ${name} is not UTF-8.`);
  }
}

/** Reads a base folder: the old version of the whole project, or of a folder that contains all its sources. */
function readFolderBase(folder: string, name: string, project: BaseProject): Base {
  const { config, inputRoot } = project;
  const configPath =
    project.configPath === undefined ? undefined : withSlashes(relative(inputRoot, project.configPath));
  const readFile = createReaderIn(folder, project);
  const hasFile = (path: string) => {
    const file = readFile(path);
    return file.kind === "file" || file.problem !== "missing";
  };
  const sources = listSources(config);
  const sourceFolders = findCommonFolders(sources);
  const hasConfig = configPath !== undefined && hasFile(configPath);
  const locatedInterfaces = hasConfig
    ? { baseFolder: "", interfaces: config.interfaces }
    : findInterfacesIn(config, hasFile);
  if (locatedInterfaces === undefined) {
    const missingSource = sources.find((path) => !hasFile(path)) ?? "";
    const content =
      configPath === undefined
        ? `does not contain ${missingSource}`
        : `contains neither ${configPath} nor ${missingSource}`;
    const folders = sourceFolders.map((sourceFolder) => `, or of the folder ${sourceFolder}`).join("");
    throw new UsageError(`The base ${name} ${content}.`, {
      help: `Nothing was compared. Name the old version of the whole project${folders}.`,
    });
  }
  const { baseFolder, interfaces } = locatedInterfaces;
  const toBasePath = (path: string) => posix.relative(baseFolder, path);
  const resolvePath = (path: string) => withSlashes(relative(inputRoot, join(folder, toBasePath(path))));
  const readOld: ReadFile = (path) => readFile(toBasePath(path));
  const foundConfig = { ...config, interfaces };
  const side = getSide(name, {
    ...project,
    config: foundConfig,
    readFile: readOld,
    configPath,
    getOldPath: resolvePath,
  });
  if (interfaces.length === config.interfaces.length) {
    return { side, getOldPath: resolvePath };
  }
  const missingPaths = sources.filter((path) => !hasFile(toBasePath(path))).map(toBasePath);
  const onlyInterfaces = interfaces.map((interfaceConfig) => interfaceConfig.name);
  const note = `Only ${onlyInterfaces.join(", ")} ${onlyInterfaces.length === 1 ? "is" : "are"} compared, because ${name} does not contain ${missingPaths.join(", ")}.`;
  return { side, getOldPath: resolvePath, onlyInterfaces, note };
}

/**
 * Finds the interfaces whose documents are all in the base folder, and the project folder whose old version the base
 * folder is. If several project folders are possible, chooses the one with the most interfaces; undefined if two of
 * them have the most but different interfaces.
 */
function findInterfacesIn(
  config: Config,
  hasFile: (path: string) => boolean,
): { readonly baseFolder: string; readonly interfaces: readonly InterfaceConfig[] } | undefined {
  const listDocuments = (interfaceConfig: InterfaceConfig) => listSources({ ...config, interfaces: [interfaceConfig] });
  const folders = new Set(["", ...findCommonFolders(listSources(config))]);
  for (const interfaceConfig of config.interfaces) {
    for (const folder of findCommonFolders(listDocuments(interfaceConfig))) {
      folders.add(folder);
    }
  }
  const candidates = [...folders].map((baseFolder) => ({
    baseFolder,
    interfaces: config.interfaces.filter((interfaceConfig) =>
      listDocuments(interfaceConfig).every(
        (path) => (baseFolder === "" || path.startsWith(`${baseFolder}/`)) && hasFile(posix.relative(baseFolder, path)),
      ),
    ),
  }));
  const [best, second] = candidates.sort((a, b) => b.interfaces.length - a.interfaces.length);
  if (best === undefined || best.interfaces.length === 0) {
    return undefined;
  }
  const isAmbiguous =
    second?.interfaces.length === best.interfaces.length &&
    second.interfaces.some((interfaceConfig) => !best.interfaces.includes(interfaceConfig));
  return isAmbiguous ? undefined : best;
}

/** Returns the folders that contain all of the files, outermost first, without the root: `schemas`, `schemas/soap`. */
function findCommonFolders([firstPath = "", ...paths]: readonly string[]): readonly string[] {
  const segments = posix.dirname(firstPath).split("/");
  return segments
    .map((_, index) => segments.slice(0, index + 1).join("/"))
    .filter((folder) => folder !== "." && paths.every((path) => path.startsWith(`${folder}/`)));
}

function readSnapshotSide(name: string, contract: Contract, { config }: BaseProject): Side {
  return { name, contract, plan: planFiles(contract, config, new Diagnostics()) };
}

function readFileBase(path: string, name: string, project: BaseProject): Base {
  if (path.endsWith(".gz")) {
    return { side: readSnapshotSide(name, readSnapshotOf(path, name), project) };
  }
  if (project.configPath !== undefined && basename(path) === basename(project.configPath)) {
    const readFile = createReaderIn(dirname(path), project);
    return { side: getSide(name, { ...project, readFile, configPath: basename(path) }) };
  }
  const replacedSource = findReplacedInterface(path, project.config.interfaces);
  if (replacedSource === undefined) {
    const kind = path.endsWith(".json") ? "index" : "WSDL";
    throw new UsageError(`It is unclear to which interface the ${kind} ${name} of --base belongs.`, {
      help: "Rename the file to the interface's current file name, or name a folder with all old schemas.",
    });
  }
  const config = { ...project.config, interfaces: [replacedSource.interface] };
  const { readOld, getOldPath } = createOldReader(path, replacedSource, project);
  return {
    side: getSide(name, { ...project, config, readFile: readOld, configPath: undefined, getOldPath }),
    onlyInterfaces: [replacedSource.interface.name],
    getOldPath,
  };
}

function readSnapshotOf(path: string, name: string): Contract {
  const contract = readSnapshotFile(path);
  if (contract === undefined) {
    throw new UsageError(
      `${name} cannot be read as a contract snapshot: it is damaged, or another version of bothends wrote it.`,
      { help: "Name the old schemas instead: a git revision, a folder, or a file." },
    );
  }
  return contract;
}

/**
 * The file in the contract package with the contract of the last run. It is written only if git's HEAD does not contain
 * the sources.
 */
const snapshotName = ".bothends-contract.json.gz";

const maxSnapshotBytes = 512 * 1024 * 1024;

/** Reads a snapshot; undefined if it is absent or damaged. */
function readSnapshotFile(path: string): Contract | undefined {
  try {
    return readSnapshot(gunzipSync(readFileSync(path), { maxOutputLength: maxSnapshotBytes }).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Returns the path of a project's snapshot relative to the folder of the packages. */
export function getSnapshotPath({ packages }: Config): string {
  return posix.join(packages.contract.path, snapshotName);
}

/**
 * Writes the contract of this run to a folder. A failure is ignored, because it only prevents the next run from listing
 * the changes.
 */
export function saveSnapshot(folder: string, contract: Contract): void {
  const file = join(folder, snapshotName);
  try {
    const bytes = gzipSync(writeSnapshot(contract), { level: 1 });
    if (existsSync(file) && readFileSync(file).equals(bytes)) {
      return;
    }
    replaceFile(file, bytes);
  } catch {
    // Ignores the failure: without the file, the next run only reports no changes.
  }
}

/** A commit of the git repository that contains a folder. */
export interface Commit {
  /** The folder relative to which files are read. */
  readonly folder: string;
  /** The path of the folder in the repository, ending with `/`; "" for the root of the repository. */
  readonly prefix: string;
  readonly id: string;
}

/**
 * Finds a revision in the repository that contains a folder; undefined if git, the repository or the revision is
 * missing.
 */
export function findCommit(folder: string, revision: string): Commit | undefined {
  // Starting git takes 5 ms, so one call prints both the prefix and the id, each on one line.
  const options = ["--show-prefix", "--verify", "--quiet", "--end-of-options"];
  const output = runGit(folder, ["rev-parse", ...options, `${revision}^{commit}`])?.toString("utf8");
  const [, prefix, id] = /^(.*)\n([0-9a-f]+)\n$/s.exec(output ?? "") ?? [];
  return prefix === undefined || id === undefined ? undefined : { folder, prefix, id };
}

function hasCommits(folder: string): boolean {
  const output = runGit(folder, ["rev-list", "--max-count=1", "--all"]);
  return output === undefined || output.length > 0;
}

/** Reads files of a commit, by path below its folder. */
function createCommitReader({ folder, prefix, id }: Commit, fileBytes: number): ReadFile {
  return (path): FileRead => {
    const pathInRepository = posix.normalize(`${prefix}${path}`);
    const bytes = runGit(folder, ["cat-file", "blob", `${id}:${pathInRepository}`], fileBytes + 1);
    if (bytes !== undefined) {
      return { kind: "file", bytes };
    }
    const size = runGit(folder, ["cat-file", "-s", `${id}:${pathInRepository}`]);
    if (size === undefined) {
      return { kind: "problem", problem: "missing", message: `the commit ${id.slice(0, 8)} has no such file` };
    }
    return Number(size) > fileBytes
      ? { kind: "problem", problem: "large", message: "it is too large" }
      : { kind: "problem", problem: "unreadable", message: "git cannot read it" };
  };
}

/** Whether a commit contains files with exactly these contents. */
export function hasFiles({ folder, prefix, id }: Commit, files: ReadonlyMap<string, Uint8Array>): boolean {
  const names = [...files.keys()].map((path) => `${id}:${posix.normalize(`${prefix}${path}`)}`);
  const ids = runGit(folder, ["rev-parse", ...names]);
  const actualIds = ids?.toString("utf8").trim().split("\n") ?? [];
  const expectedIds = [...files.values()].map((bytes) =>
    createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex"),
  );
  return actualIds.length === expectedIds.length && actualIds.every((id, index) => id === expectedIds[index]);
}

/** Runs git and returns its output; undefined if git fails. The commands never prompt, use the network, or write. */
function runGit(folder: string, parameters: readonly string[], maxBuffer = 1024 * 1024): Buffer | undefined {
  const environment = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" };
  const result = spawnSync("git", ["-C", folder, ...parameters], {
    env: environment,
    maxBuffer,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 30_000,
  });
  return result.status === 0 && result.error === undefined ? result.stdout : undefined;
}
