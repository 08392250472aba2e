import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { diffContracts, formatShortChanges } from "@bothends/diff";
import { sourceLimits } from "@bothends/generator";
import type { Severity } from "@bothends/generator/diagnostics";
import {
  compareTree,
  isFile,
  manifestName,
  runInOutputRoot,
  type TreePlan,
  type WriteOptions,
  type Written,
  writeTree,
} from "@bothends/generator/disk";
import {
  type BaseProject,
  type Commit,
  findCommit,
  getSnapshotPath,
  hasFiles,
  readDefaultBase,
  saveSnapshot,
} from "../base.js";
import { type Generation, generateProject } from "../generation.js";
import { CommandError, type Host, hasColor, UsageError } from "../host.js";
import { quoteShellWord, withSlashes } from "../paths.js";
import {
  configName,
  findMemberOfIndex,
  formatGenerateCommand,
  type GenerateOptions,
  type ProjectOptions,
} from "../project.js";
import { createUnifiedDiff, formatContractLines, formatContractSummary, formatPlan } from "../report/changes.js";
import { formatNextSteps } from "../report/first-call.js";
import { type ChangedFiles, formatCount, formatFileCounts, type Outcome, runAfterWriting } from "../report/outcome.js";
import type { RecordedRun } from "../run-record.js";

/** `bothends generate`: writes the packages, or reports why it cannot. */
export function runGenerate(options: GenerateOptions, host: Host): Outcome {
  const start = host.now();
  const result = generateProject(options, host);
  return result.kind === "refused" ? result.outcome : writeGeneration(result.generation, { options, host, start });
}

interface CommandRun {
  readonly options: GenerateOptions;
  readonly host: Host;
  /** The time in milliseconds when the run began, by the host's clock. */
  readonly start: number;
  /**
   * Compares the schemas with an earlier version, and reports the changes. By default, the earlier version is the one
   * at git's HEAD or, if git does not contain the sources, the one of the last run.
   */
  readonly reportChanges?: (() => SchemaReport) | undefined;
  /** Whether the run waits until the packages are on the disk. Default: true. */
  readonly waitsForDisk?: boolean;
  /** The address of the service in the example of a first call. Default: the address in the schema. */
  readonly address?: string | undefined;
}

/** Writes the generated files and reports the changes. */
export function writeGeneration(generation: Generation, run: CommandRun): Outcome {
  const { diagnostics, inputRoot, vendoredFolder, formatDisplayPath } = generation;
  const { options } = run;
  if (options.force !== true) {
    refuseOtherPackages(generation);
  }
  const writeResult = write(generation, {
    force: options.force ?? false,
    allowNonempty: options.allowNonempty ?? false,
    dryRun: options.dryRun ?? false,
    waitsForDisk: run.waitsForDisk ?? true,
  });
  const report = { diagnostics, root: inputRoot };
  if (writeResult.kind === "edited") {
    return { ...report, ...listRefusedEdits(writeResult, { formatDisplayPath, options }) };
  }
  const { plan, backups } = writeResult;
  const fileLines = formatPlan(plan, { backupPaths: backups, foldedFolder: vendoredFolder, formatDisplayPath });
  const files = listChangedFiles(plan, formatDisplayPath);
  const writtenReport = { ...report, result: formatFileCounts(files), files };
  const describe = () => ({ ...writtenReport, ...describeChanges(generation, run, { writeResult, fileLines }) });
  const failure = "The packages are written, but the changes since the last run cannot be listed";
  return options.dryRun === true
    ? describe()
    : runAfterWriting({ failure, body: fileLines, ...writtenReport }, describe);
}

/**
 * Describes the changes of a run. The schemas are compared after the packages are written, so that other programs see
 * the packages sooner.
 */
function describeChanges(
  generation: Generation,
  { options, host, start, reportChanges, address }: CommandRun,
  { writeResult, fileLines }: { readonly writeResult: Written; readonly fileLines: string },
): Pick<Outcome, "body" | "notes" | "record"> & { readonly exit: 0 } {
  const seconds = ((host.now() - start) / 1000).toFixed(2);
  const schemaReport =
    reportChanges === undefined ? reportSchemaChanges(generation, { options, host }) : reportChanges();
  const verb = options.dryRun === true ? "Would generate" : "Generated";
  if (options.dryRun !== true) {
    schemaReport.saveContract();
  }
  const headline = `${verb} ${formatContractSummary(generation.contract)} in ${seconds} s.\n`;
  // If schema changes are listed, they already explain why files changed, so only backups and kept edited files are
  // listed below them.
  const shownLines =
    schemaReport.text === undefined || options.verbose === true ? fileLines : formatKeptFiles(fileLines);
  const firstCall = isFirstGeneration(writeResult)
    ? `${formatNextSteps(generation, { options, host, address: address ?? findSiteIn(generation) })}\n`
    : "";
  return {
    exit: 0,
    body: [headline, schemaReport.text ?? "", shownLines, firstCall].join(""),
    notes: [schemaReport.note, describeOldTypeScript(generation)].filter((note) => note !== undefined),
    record: options.dryRun === true ? undefined : createRecord(generation, writeResult),
  };
}

/**
 * Refuses to replace packages that were generated for other interfaces. An existing package may be replaced if the new
 * package has the same name, or if the two share at least one entry: renaming a package keeps its entries, and renaming
 * an interface keeps the package name.
 */
export function refuseOtherPackages(generation: Generation): void {
  const { output, formatDisplayPath, tree } = generation;
  for (const folder of output.packages) {
    const manifest = `${folder}/package.json`;
    const presentPackage = findPackageAt(join(output.root, manifest));
    const newPackage = findPackageIn(tree.get(manifest));
    if (presentPackage === undefined || newPackage === undefined || !isFile(join(output.root, folder, manifestName))) {
      continue;
    }
    if (
      presentPackage.name !== newPackage.name &&
      !presentPackage.entries.some((entry) => newPackage.entries.includes(entry))
    ) {
      const { explanation, suggestion } = suggestFolders(newPackage, generation);
      throw new UsageError(
        `${formatDisplayPath(folder)} contains the generated package ${presentPackage.name}, which ${newPackage.name} would replace.`,
        {
          help: `To keep both, ${explanation}. npx bothends generate --force removes the files of ${presentPackage.name}.`,
          suggestion,
        },
      );
    }
  }
}

/**
 * Suggests how to keep existing packages: other paths in the configuration file, or another `--out` if there is no
 * configuration file.
 */
function suggestFolders({ name, entries }: PackageNames, { config, configPath, formatDisplayPath }: Generation) {
  // The existence of the file is checked too, because while `init` runs, the configuration has a path, but no file yet.
  if (configPath !== undefined && isFile(configPath)) {
    return {
      explanation: `list both interfaces in one ${configName}, or change the paths in "packages"`,
      suggestion: undefined,
    };
  }
  const folder = posix.dirname(formatDisplayPath(config.packages.contract.path));
  const folderSuffix = posix.basename(entries[0] ?? name).toLowerCase();
  const isRelativeFolder = /^\.{1,2}$/.test(posix.basename(folder));
  const otherFolder = isRelativeFolder ? posix.join(folder, folderSuffix) : `${folder}-${folderSuffix}`;
  return {
    explanation: `write to another folder, or list both interfaces in one ${configName}`,
    suggestion: `--out ${quoteShellWord(otherFolder)}`,
  };
}

/** The name of a generated package, and the names of its entries, such as `./quotes`. */
interface PackageNames {
  readonly name: string;
  readonly entries: readonly string[];
}

function findPackageAt(path: string): PackageNames | undefined {
  return isFile(path) ? findPackageIn(readFileSync(path, "utf8")) : undefined;
}

function findPackageIn(text: string | undefined): PackageNames | undefined {
  try {
    const { name, exports }: { name?: unknown; exports?: unknown } = JSON.parse(text ?? "{}");
    return typeof name === "string" && typeof exports === "object" && exports !== null
      ? { name, entries: Object.keys(exports) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether this run created the packages. */
function isFirstGeneration({ plan: { added, changed, edited, unchanged, manifests } }: Written): boolean {
  return (
    added.length > 0 &&
    changed.length + edited.length + unchanged.length === 0 &&
    manifests.every(({ oldBytes }) => oldBytes === undefined)
  );
}

/** Returns the site's address from the first index; undefined if the index does not contain an address. */
function findSiteIn({ config, inputRoot }: Generation): string | undefined {
  const [first] = config.interfaces;
  const text = first?.kind === "rest" ? findMemberOfIndex(join(inputRoot, first.index.path), "home") : undefined;
  try {
    const { protocol, origin, pathname } = new URL(text ?? "");
    return /^https?:$/.test(protocol) ? `${origin}${pathname.replace(/\/+$/, "")}` : undefined;
  } catch {
    return undefined;
  }
}

function formatKeptFiles(files: string): string {
  return files
    .split("\n")
    .filter((line) => /^ {2}(?:kept|backup) /.test(line))
    .map((line) => `${line}\n`)
    .join("");
}

/** The oldest version of TypeScript that supports all compiler options in `templates/package/tsconfig.json.hbs`. */
const minimumTypeScript = [5, 8] as const;

/**
 * Returns a note if the TypeScript that is installed for the packages is too old to build them; undefined if it is not,
 * or if none is installed.
 */
function describeOldTypeScript({ config, output }: Generation): string | undefined {
  const version = findTypeScriptVersion(join(output.root, config.packages.contract.path));
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})\./.exec(version ?? "") ?? [];
  const [minimumMajor, minimumMinor] = minimumTypeScript;
  const isOld = Number(major) < minimumMajor || (Number(major) === minimumMajor && Number(minor) < minimumMinor);
  return isOld
    ? `The installed TypeScript ${major}.${minor} is too old for the packages, which need ${minimumTypeScript.join(".")} or later: npm install --save-dev typescript@latest.`
    : undefined;
}

/** Returns the version in the nearest `node_modules/typescript`, in a folder or above it. */
function findTypeScriptVersion(folder: string): string | undefined {
  const path = join(folder, "node_modules/typescript/package.json");
  if (!isFile(path)) {
    const parent = dirname(folder);
    return parent === folder ? undefined : findTypeScriptVersion(parent);
  }
  try {
    const { version }: { version?: unknown } = JSON.parse(readFileSync(path, "utf8"));
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

/** Creates the record of a run; undefined if the run kept or replaced edited files. */
function createRecord(generation: Generation, { plan, backups }: Written): RecordedRun | undefined {
  const { config, contract, diagnostics, output, sources, tree } = generation;
  if (plan.keptPaths.length > 0 || backups.length > 0) {
    return undefined;
  }
  const count = (severity: Severity) => diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  return {
    folder: join(output.root, config.packages.contract.path),
    sources,
    output: { root: output.root, files: tree, manifests: output.packages.map((folder) => `${folder}/${manifestName}`) },
    summary: {
      contract: formatContractSummary(contract),
      unchanged: tree.size,
      warnings: count("warning"),
      notes: count("info"),
    },
  };
}

function write({ output, tree }: Generation, options: WriteOptions): Written {
  if (options.dryRun) {
    return writeTree(output, tree, options);
  }
  return runInOutputRoot(output.root, () => writeTree(output, tree, options));
}

function listRefusedEdits(
  { plan }: Written,
  {
    formatDisplayPath,
    options,
  }: { readonly formatDisplayPath: (path: string) => string; readonly options: GenerateOptions },
): Omit<Outcome, "diagnostics"> {
  const files = plan.edited.map(({ path }) => `  ${formatDisplayPath(path)}\n`).join("");
  return {
    exit: 1,
    mistakes: [
      {
        message: `${formatCount(plan.edited.length, "generated file")} ${plan.edited.length === 1 ? "was" : "were"} edited:\n${files.trimEnd()}`,
        help: "Move the edits elsewhere, or use --force, which replaces the files and keeps copies with the suffix .orig.",
      },
    ],
    result: "nothing written",
    suggestion: `${formatGenerateCommand(options)} --force`,
  };
}

function listChangedFiles(
  { added, changed, edited, removed, unchanged }: TreePlan,
  formatDisplayPath: (path: string) => string,
): ChangedFiles {
  return {
    added: added.map(({ path }) => formatDisplayPath(path)),
    changed: [...changed, ...edited].map(({ path }) => formatDisplayPath(path)),
    removed: removed.map(({ path }) => formatDisplayPath(path)),
    unchanged: unchanged.length,
  };
}

/**
 * The changes to the schemas since the default base, and a function that saves the new contract for the next
 * comparison.
 */
export interface SchemaReport {
  /** The changes since the default base, one line each; undefined if there is no base or no change. */
  readonly text: string | undefined;
  /** Explains why the changes are not listed; present only if the base cannot be read. */
  readonly note?: string;
  /** Saves the contract of this run, unless git contains the sources. */
  saveContract(): void;
}

/**
 * Compares the generated contract with the default base. If the base cannot be read, the report contains only the
 * reason.
 */
function reportSchemaChanges(
  generation: Generation,
  { options, host: { workingFolder } }: Pick<CommandRun, "options" | "host">,
): SchemaReport {
  const { config, contract, plan, inputRoot, output } = generation;
  const noReport: SchemaReport = { text: undefined, saveContract: () => undefined };
  const head = findCommit(inputRoot, "HEAD");
  if (head !== undefined && isCommitted(head, generation)) {
    return noReport;
  }
  const saveContract = () => saveSnapshot(join(output.root, config.packages.contract.path), contract);
  try {
    const base = readDefaultBase(createBaseProject(generation, workingFolder), head);
    const snapshotPath = getSnapshotPath(config);
    if (base === undefined && existsSync(join(output.root, snapshotPath))) {
      const path = generation.formatDisplayPath(snapshotPath);
      const note = `${unlistedChanges} ${path}, the contract of the last run, is damaged, or another version of bothends wrote it.`;
      return { text: undefined, note, saveContract };
    }
    const saveIfNeeded = base?.isCommit === true ? noReport.saveContract : saveContract;
    const changes = base === undefined ? [] : diffContracts(base.side, { name: "this run", contract, plan }).changes;
    if (base === undefined || changes.length === 0) {
      return { text: undefined, saveContract: saveIfNeeded };
    }
    // If git does not contain the sources, the next run compares with the contract of this run, so every change must be
    // listed now.
    const listsAll = options.verbose === true || base.isCommit !== true;
    return {
      text: formatContractLines(base.side.name, formatShortChanges(changes, { verbose: listsAll }), listsAll),
      saveContract: saveIfNeeded,
    };
  } catch (error) {
    if (!(error instanceof CommandError)) {
      throw error;
    }
    return { text: undefined, note: `${unlistedChanges} ${error.message}`, saveContract };
  }
}

const unlistedChanges = "The changed files are listed, but not the changes to the schemas.";

function createBaseProject({ config, inputRoot, output, configPath }: Generation, workingFolder: string): BaseProject {
  const limits = { ...sourceLimits, ...config.limits };
  return { config, limits, inputRoot, outputRoot: output.root, configPath, workingFolder };
}

/**
 * Returns a note if the contract of the last run is older than the packages; undefined otherwise. `generate` saves the
 * contract after the packages, so that the run after an interrupted one lists the changes of both.
 */
function describeUnlistedChanges(generation: Generation, { workingFolder }: Host): string | undefined {
  const { config, contract, plan, inputRoot, output } = generation;
  if (!existsSync(join(output.root, getSnapshotPath(config)))) {
    return undefined;
  }
  const head = findCommit(inputRoot, "HEAD");
  if (head !== undefined && isCommitted(head, generation)) {
    return undefined;
  }
  try {
    const base = readDefaultBase(createBaseProject(generation, workingFolder), head);
    return base === undefined ||
      base.isCommit === true ||
      diffContracts(base.side, { name: "the packages", contract, plan }).changes.length === 0
      ? undefined
      : "The packages contain schema changes that generate has not listed, for example because its last run was interrupted, or because watch wrote the packages. npx bothends diff and the next npx bothends generate list them.";
  } catch (error) {
    if (!(error instanceof CommandError)) {
      throw error;
    }
    return undefined;
  }
}

/** Whether git's HEAD contains all sources unchanged. If so, no base has to be read. */
function isCommitted(head: Commit, { inputRoot, sources }: Generation): boolean {
  try {
    const files = sources.map(({ path }) => [withSlashes(relative(inputRoot, path)), readFileSync(path)] as const);
    return hasFiles(head, new Map(files));
  } catch {
    return false;
  }
}

const maxDiffs = 50;

/** `bothends check`: generates in memory and compares the result with the files on disk. Writes nothing. */
export function runCheck(options: ProjectOptions, host: Host): Outcome {
  const result = generateProject(options, host);
  return result.kind === "refused" ? result.outcome : compareWithDisk(result.generation, { options, host });
}

function compareWithDisk(
  generation: Generation,
  { options, host }: { readonly options: ProjectOptions; readonly host: Host },
): Outcome {
  const { output, tree, contract, diagnostics, inputRoot, formatDisplayPath } = generation;
  const plan = compareTree(output, tree);
  const differences = listDifferencesIn(plan);
  const report = { diagnostics, root: inputRoot };
  if (differences.length === 0 && plan.manifests.length === 0) {
    const result = `up to date: ${formatContractSummary(contract)}, ${formatCount(plan.unchanged.length, "file")}`;
    const note = describeUnlistedChanges(generation, host);
    return { ...report, exit: 0, result, ...(note === undefined ? {} : { notes: [note] }) };
  }
  const color = hasColor(host, host.out);
  const diffs = differences
    .slice(0, maxDiffs)
    .map((change) => createUnifiedDiff({ ...change, path: formatDisplayPath(change.path) }, color));
  const count =
    differences.length === 0 ? formatCount(plan.manifests.length, "manifest") : formatCount(differences.length, "file");
  return {
    ...report,
    exit: 1,
    body: `${diffs.join("")}${formatDifference(plan, formatDisplayPath)}`,
    result: `${count} out of date; nothing written`,
    suggestion: formatGenerateCommand(options),
    files: {
      added: plan.added.map(({ path }) => formatDisplayPath(path)),
      changed: [...plan.changed, ...plan.edited].map(({ path }) => formatDisplayPath(path)),
      removed: plan.removed.map(({ path }) => formatDisplayPath(path)),
      unchanged: plan.unchanged.length,
    },
  };
}

function listDifferencesIn({ added, changed, edited, removed }: TreePlan) {
  return [...added, ...changed, ...edited, ...removed];
}

function formatDifference(plan: TreePlan, formatDisplayPath: (path: string) => string): string {
  const changes = listDifferencesIn(plan);
  const files = (changes.length === 0 ? plan.manifests : changes).map(({ path }) => `  ${formatDisplayPath(path)}\n`);
  const hiddenCount = files.length - maxDiffs;
  const shownFiles = files.slice(0, maxDiffs).join("");
  const hiddenNote = hiddenCount > 0 ? `  … and ${formatCount(hiddenCount, "more file")}\n` : "";
  return `The generated packages differ from their sources:\n${shownFiles}${hiddenNote}`;
}
