import { realpathSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  type Config,
  type Contract,
  type Diagnostic,
  type Generated,
  type GenerationCache,
  generate,
  listPackageFolders,
  type ReadFile,
} from "@bothends/generator";
import { createOutput, createSourceReader, type FileTree, type Output } from "@bothends/generator/disk";
import type { Host } from "./host.js";
import { readTemplates, readVendoredRuntime, type VendoredRuntime } from "./packed-files.js";
import { formatPath, withSlashes } from "./paths.js";
import { listDocumentFolders, type Project, type ProjectOptions, readLimits, readProject } from "./project.js";
import { type Outcome, suggestOptions } from "./report/outcome.js";
import { type Progress, startProgress } from "./report/present.js";
import { hashBytes, hashFile, type RecordedSource } from "./run-record.js";

/** The generated files of a project, and their output. */
export interface Generation {
  readonly tree: FileTree;
  readonly contract: Contract;
  readonly plan: Plan;
  readonly config: Config;
  readonly output: Output;
  /** Converts a path in the output to one relative to the working folder, for messages. */
  readonly formatDisplayPath: (path: string) => string;
  /** The folder of the vendored runtime, if there is one. */
  readonly vendoredFolder: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The folder of the sources, to which the paths of diagnostics are relative. */
  readonly inputRoot: string;
  /** The absolute path of the configuration file, if there is one. */
  readonly configPath: string | undefined;
  /** The files that were read, including the configuration, by absolute path. */
  readonly sources: readonly RecordedSource[];
}

type Plan = NonNullable<Generated["plan"]>;

/** The generated files of a project, or the outcome of the command if the input is refused. */
export type GenerationResult =
  | { readonly kind: "generated"; readonly generation: Generation }
  | { readonly kind: "refused"; readonly outcome: Outcome; readonly sources: readonly RecordedSource[] };

/** Options for programs that generate several times. */
interface RunOptions {
  /** Stores results that later runs of this process can reuse. */
  readonly cache?: GenerationCache;
  /** Called when a step begins. An exception ends the run. */
  readonly onStep?: () => void;
}

/** Reads a project and generates from it in memory. */
export function generateProject(options: ProjectOptions, host: Host, runOptions: RunOptions = {}): GenerationResult {
  const progress = startProgress(host);
  try {
    return generateWith(options, host, { progress, ...runOptions });
  } finally {
    // A source that exceeds a limit is not parsed, so the reader does not call `afterSource`.
    host.afterSource?.();
    progress.end();
  }
}

function generateWith(
  options: ProjectOptions,
  host: Host,
  { progress, cache, onStep }: RunOptions & { readonly progress: Progress },
): GenerationResult {
  const project = readProject(options, host);
  if (project.config === undefined) {
    return createRefusal(project.diagnostics.all, project, [], host);
  }
  const vendored = findVendoredRuntime(project.config, project, options);
  const config = vendored?.config ?? project.config;
  const limits = { ...config.limits, ...readLimits(options.limit ?? []) };
  const sources = new Map<string, RecordedSource>();
  const onRead = (path: string, bytes: number): void => {
    const isLarge = bytes >= largeFileBytes;
    progress.show(`Reading ${path}`, isLarge);
    if (isLarge && cache === undefined) {
      host.beforeLargeSource?.();
    }
  };
  const generated = generate({
    readFile: createRecordingReader(sources, { root: project.inputRoot, fileBytes: limits.fileBytes }, onRead),
    templates: readTemplates(),
    config,
    limits,
    rootFolder: withSlashes(relative(host.workingFolder, project.inputRoot)) || ".",
    onStep: (step) => {
      progress.show(step);
      onStep?.();
    },
    onFileParsed: host.afterSource,
    onDocumentsReleased: cache === undefined ? collectGarbage : undefined,
    cache,
  });
  const { tree, contract, plan } = generated;
  const diagnostics = [...project.diagnostics.all, ...generated.diagnostics];
  if (plan === undefined || diagnostics.some(({ severity }) => severity === "error")) {
    return createRefusal(diagnostics, project, [...sources.values()], host);
  }
  const shownRoot = formatPath(realpathSync(host.workingFolder), project.outputRoot);
  const generation = {
    tree: withRuntime(tree, vendored),
    contract,
    plan,
    config,
    output: createProjectOutput(config, project, { vendored, shownRoot }),
    formatDisplayPath: (path: string) => posix.join(shownRoot, path),
    vendoredFolder: vendored?.path,
    diagnostics,
    inputRoot: project.inputRoot,
    configPath: project.configFile?.path,
    sources: listSources(project, [...sources.values()]),
  };
  return { kind: "generated", generation };
}

/** Returns the runtime to write beside the packages; undefined if the user does not want one. */
function findVendoredRuntime(
  config: Config,
  project: Project,
  { vendorRuntime = false }: ProjectOptions,
): VendoredRuntime | undefined {
  const folder = project.runtimeFolder ?? config.runtimeFolder;
  return vendorRuntime || folder !== undefined ? readVendoredRuntime(config, folder) : undefined;
}

function createRefusal(
  diagnostics: readonly Diagnostic[],
  project: Project,
  sources: readonly RecordedSource[],
  host: Host,
): GenerationResult {
  return {
    kind: "refused",
    sources: listSources(project, sources),
    outcome: {
      exit: 1,
      diagnostics,
      root: project.inputRoot,
      result: "nothing written",
      suggestion: suggestOptions(diagnostics, { inputRoot: project.inputRoot, workingFolder: host.workingFolder }),
    },
  };
}

function listSources({ configFile }: Project, sources: readonly RecordedSource[]): readonly RecordedSource[] {
  return [...(configFile === undefined ? [] : [configFile]), ...sources];
}

/**
 * Creates a function that reads sources, and adds the hash of each to `sources`, by its absolute path. `onRead`
 * receives the path and the size of each file, 0 for a file that was not read.
 */
function createRecordingReader(
  sources: Map<string, RecordedSource>,
  { root, fileBytes }: { readonly root: string; readonly fileBytes: number | undefined },
  onRead: (path: string, bytes: number) => void,
): ReadFile {
  const readFile = createSourceReader({ root, fileBytes });
  return (path) => {
    const file = readFile(path);
    onRead(path, file.kind === "file" ? file.bytes.length : 0);
    const absolutePath = join(root, path);
    // A refused file, for example one that is too large, has a hash as well, so that `watch` notices its next change.
    // A missing file has no hash, even if it exists by now, because it was not read.
    const isMissing = file.kind === "problem" && file.problem === "missing";
    const hash = file.kind === "file" ? hashBytes(file.bytes) : isMissing ? undefined : hashFile(absolutePath);
    sources.set(absolutePath, { path: absolutePath, hash });
    return file;
  };
}

function createProjectOutput(
  config: Config,
  { inputRoot, outputRoot }: Project,
  { vendored, shownRoot }: { readonly vendored: VendoredRuntime | undefined; readonly shownRoot: string },
): Output {
  const folders = withRuntimeFolder(listPackageFolders(config.packages), vendored);
  return {
    ...createOutput(outputRoot, folders, shownRoot),
    otherFolders: realpathSync(inputRoot) === outputRoot ? listDocumentFolders(config) : [],
  };
}

/** The size in bytes from which reading a file takes most of a second. */
const largeFileBytes = 500_000;

/** The heap size in bytes above which garbage is collected. */
const largeHeapBytes = 60e6;

/**
 * Frees the memory of the documents before files are printed, because V8 would otherwise let the heap grow.
 * VirtualBox's WSDL then takes 170 MB instead of 200, and a WSDL with 2,400 operations 298 MB instead of 416, for 2 to
 * 5 % more processor time.
 */
function collectGarbage(): void {
  if (getHeapStatistics().used_heap_size < largeHeapBytes) {
    return;
  }
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  // Restores the flag, because V8 refuses compiled code that was written with other flags.
  setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") {
    collect();
  }
}

function withRuntime(tree: FileTree, vendored: VendoredRuntime | undefined): FileTree {
  return vendored === undefined ? tree : new Map([...tree, ...vendored.files]);
}

function withRuntimeFolder(packages: readonly string[], vendored: VendoredRuntime | undefined): readonly string[] {
  return vendored === undefined ? packages : [...packages, vendored.path];
}
