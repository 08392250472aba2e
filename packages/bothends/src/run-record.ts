import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

// This module imports only modules of Node, because a run without changes must be fast and loads only this module.

/**
 * The files that a run of `generate` read and wrote, with their hashes. The record is stored in `node_modules/.cache`
 * of a generated package, which version control and published packages exclude. Paths are relative to the working
 * folder, so that the record is also correct in a copy of the project.
 */
export interface RunRecord {
  readonly format: 2;
  /** The hash of the options of the command line, without the command. Options may contain passwords. */
  readonly options: string;
  /** The working folder, relative to the folder of the record. */
  readonly workingFolder: string;
  /** The hash of all files of the generator and all templates. */
  readonly generator: string;
  readonly sources: readonly RecordedSource[];
  readonly output: RecordedOutput;
  /** The counts that the run printed. */
  readonly summary: RunSummary;
}

/** A file that was read. `hash` is undefined if it could not be read. */
export interface RecordedSource {
  readonly path: string;
  readonly hash: string | undefined;
}

/** The generated files, including manifests, by path below a folder. */
export interface RecordedOutput {
  readonly root: string;
  readonly paths: readonly string[];
  readonly hash: string;
}

/** The counts in the report of a run. */
export interface RunSummary {
  /** The size of the contract: `2 interfaces, 84 operations, 310 types`. */
  readonly contract: string;
  readonly unchanged: number;
  readonly warnings: number;
  readonly notes: number;
}

/** The files and counts of a finished run, which its record contains. */
export interface RecordedRun {
  /** The folder of the package that contains the record. */
  readonly folder: string;
  /** The files that were read, by absolute path. */
  readonly sources: readonly RecordedSource[];
  /** The text of each generated file, by path below the absolute path `root`. */
  readonly output: {
    readonly root: string;
    readonly files: ReadonlyMap<string, string>;
    readonly manifests: readonly string[];
  };
  readonly summary: RunSummary;
}

/** The command and its options, and the folder it runs in. */
export interface CommandLine {
  readonly options: readonly string[];
  readonly workingFolder: string;
}

/** Returns the summary of the last run if its sources, its output and the generator are unchanged. */
export function findSummaryIfUnchanged({ options, workingFolder }: CommandLine): RunSummary | undefined {
  for (const folder of listRecordFolders(options, workingFolder)) {
    const record = readRecord(join(folder, recordPath));
    if (record === undefined || !isSameCommand(record, { options, workingFolder, folder })) {
      continue;
    }
    try {
      return isValid(record, workingFolder) ? record.summary : undefined;
    } catch {
      // Ignores a damaged record.
      return undefined;
    }
  }
  return undefined;
}

/** Writes a record. Failures are ignored: without a record, the next run is only slower. */
export function saveRecord({ options, workingFolder }: CommandLine, run: RecordedRun): void {
  const file = join(run.folder, recordPath);
  const { root, files, manifests } = run.output;
  if (isLink(join(run.folder, "node_modules"))) {
    return;
  }
  const output = { root: relative(workingFolder, root), paths: [...files.keys(), ...manifests] };
  const hash = hashOutput(output, workingFolder, (path, bytes) => hasText(bytes, files.get(path)));
  if (hash === undefined) {
    return;
  }
  try {
    const record: RunRecord = {
      format: 2,
      options: hashOptions(options),
      workingFolder: relative(run.folder, workingFolder),
      generator: hashGenerator(),
      sources: run.sources.map((source) => ({ ...source, path: relative(workingFolder, source.path) })),
      output: { ...output, hash },
      summary: run.summary,
    };
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, JSON.stringify(record));
  } catch {
    // Ignores the failure: without a record, the next run only has to generate again.
  }
}

/**
 * Replaces a whole file. If that fails, for example because the disk is full, the old file is unchanged, and the new
 * file is removed.
 */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode = 0o666 }: { readonly mode?: number } = {},
): void {
  const newFile = `${file}.bothends-new`;
  let isCreated = false;
  try {
    writeFileSync(newFile, "", { mode });
    isCreated = true;
    writeFileSync(newFile, content);
    renameSync(newFile, file);
  } catch (error) {
    if (isCreated) {
      rmSync(newFile, { force: true });
    }
    throw error;
  }
}

/** Options that do not affect the generated files, but only the report, or which files may be replaced. */
const reportOptions: ReadonlySet<string> = new Set(["--verbose", "--debug", "--force", "--allow-nonempty", "--fast"]);

/** Returns the options of a command line that affect the generated files. */
export function readRecordedOptions([, ...options]: readonly string[]): readonly string[] {
  return options.filter(
    (option, index) =>
      !reportOptions.has(option) && !option.startsWith("--format") && options[index - 1] !== "--format",
  );
}

/** Whether a command line requests only the default report, for which the record of the last run is sufficient. */
export function wantsDefaultReport([, ...options]: readonly string[]): boolean {
  return options.every(
    (option) => option === "--fast" || !/^--(?:verbose|debug|force|dry-run|watch|format|help)\b/.test(option),
  );
}

/**
 * Whether a file contains the generated text; true if the text is unknown. Line ends are ignored, because git may have
 * changed them.
 */
function hasText(bytes: Buffer, text: string | undefined): boolean {
  if (text === undefined) {
    return true;
  }
  const actualText = bytes.toString("utf8");
  return actualText === text || actualText.replaceAll("\r\n", "\n") === text;
}

const recordPath = join("node_modules", ".cache", "bothends", "last-run.json");
/** The name of the journal that an interrupted run leaves in the output root. */
const journalName = ".bothends-journal";

/**
 * Returns the folders that may contain a record: with `--out`, the folder `contract` in the given folder; otherwise,
 * the package folders in the configuration.
 */
function listRecordFolders(options: readonly string[], workingFolder: string): readonly string[] {
  const out = findOptionValue(options, "--out");
  if (out !== undefined) {
    return [resolve(workingFolder, out, "contract")];
  }
  const config = resolve(workingFolder, findOptionValue(options, "--config") ?? "bothends.json");
  const text = readIfPossible(config)?.toString("utf8") ?? "";
  const paths = [...text.matchAll(/"path"\s*:\s*"([^"\\]+)"/g)].map(([, path = ""]) => path);
  return [...new Set(paths)].map((path) => resolve(dirname(config), path));
}

function findOptionValue(options: readonly string[], name: string): string | undefined {
  const index = options.indexOf(name);
  return index >= 0
    ? options[index + 1]
    : options.find((option) => option.startsWith(`${name}=`))?.slice(name.length + 1);
}

function isSameCommand(record: RunRecord, line: CommandLine & { readonly folder: string }): boolean {
  return (
    record.options === hashOptions(line.options) && record.workingFolder === relative(line.folder, line.workingFolder)
  );
}

function hashOptions(options: readonly string[]): string {
  return hashBytes(Buffer.from(JSON.stringify(options)));
}

function isValid({ sources, output, generator }: RunRecord, workingFolder: string): boolean {
  return (
    sources.every(({ path, hash }) => hashFile(resolve(workingFolder, path)) === hash) &&
    hashOutput(output, workingFolder) === output.hash &&
    readIfPossible(resolve(workingFolder, output.root, journalName)) === undefined &&
    hashGenerator() === generator
  );
}

/** Returns the hash of a file; undefined if it cannot be read. */
export function hashFile(path: string): string | undefined {
  const bytes = readIfPossible(path);
  return bytes === undefined ? undefined : hashBytes(bytes);
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Returns the hash of all generated files; undefined if a file is missing, is a link, or has changed. */
function hashOutput(
  { root, paths }: Omit<RecordedOutput, "hash">,
  workingFolder: string,
  isExpected: (path: string, bytes: Buffer) => boolean = () => true,
): string | undefined {
  const folder = resolve(workingFolder, root);
  const hash = createHash("sha256");
  for (const path of paths) {
    const file = join(folder, path);
    const bytes = isLink(file) ? undefined : readIfPossible(file);
    if (bytes === undefined || !isExpected(path, bytes)) {
      return undefined;
    }
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

/**
 * Returns the hash of the names, sizes and change times (`ctime`) of all files that affect the result: the built files
 * of this package and its dependencies, and the templates. The operating system sets the change time at every change,
 * and programs cannot set it.
 */
function hashGenerator(): string {
  // The folder of this module, which is `src` in tests, otherwise `dist`.
  const moduleFolder = import.meta.dirname;
  const name = moduleFolder.slice(moduleFolder.lastIndexOf(sep) + 1);
  const packageFolder = dirname(moduleFolder);
  const dependencies = ["generator", "xml", "datatypes", "runtime"].flatMap((dependency) => [
    join(packageFolder, "..", dependency, name),
    join(packageFolder, "..", "@bothends", dependency, name),
  ]);
  const templates = [join(packageFolder, "templates"), join(packageFolder, "..", "..", "templates")];
  const hash = createHash("sha256");
  const vendored = [join(packageFolder, "vendor"), join(packageFolder, "..", "..", ".packed", "vendored-runtime")];
  for (const folder of [moduleFolder, ...dependencies, ...templates, ...vendored]) {
    for (const path of listFilesBelow(folder)) {
      if (/\.(?:c?js|ts|hbs|json)$/.test(path)) {
        const { size, mtimeMs, ctimeMs } = statSync(join(folder, path));
        hash.update(`${path} ${size} ${mtimeMs} ${ctimeMs}\n`);
      }
    }
  }
  return hash.update(readIfPossible(join(packageFolder, "package.json")) ?? "").digest("hex");
}

function listFilesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true }).map(String).sort();
  } catch {
    return [];
  }
}

// Windows has no O_NONBLOCK.
const { O_NONBLOCK = 0, O_RDONLY } = constants;

/**
 * Reads a regular file. Returns undefined for other kinds of files: a pipe would block the program, and a device may
 * have no end.
 */
function readIfPossible(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, O_RDONLY | O_NONBLOCK);
    return fstatSync(file).isFile() ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function readRecord(path: string): RunRecord | undefined {
  const text = readIfPossible(path)?.toString("utf8");
  if (text === undefined) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is RunRecord {
  return (
    typeof value === "object" &&
    value !== null &&
    "format" in value &&
    value.format === 2 &&
    "sources" in value &&
    Array.isArray(value.sources) &&
    "output" in value &&
    "summary" in value
  );
}
