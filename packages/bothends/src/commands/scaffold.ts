import { join, posix } from "node:path";
import {
  assertNotInterrupted,
  compareTree,
  type FileTree,
  finishInterrupted,
  type Recovery,
  runInOutputRoot,
  writeBeside,
} from "@bothends/generator/disk";
import type { Scaffolded, ScaffoldInputs } from "@bothends/generator/scaffold";
import { type Generation, generateProject } from "../generation.js";
import { CommandError, type Host, hasColor, UsageError } from "../host.js";
import { findLinkedFolder, readTemplates } from "../packed-files.js";
import { formatPath, quoteShellWord } from "../paths.js";
import { formatGenerateCommand, type ScaffoldOptions } from "../project.js";
import { createUnifiedDiff, formatReport, formatResult } from "../report/changes.js";
import { withCurrentPositions } from "../report/current-positions.js";
import { formatServerCallStep } from "../report/first-call.js";
import {
  formatLinkCommand,
  formatLinkerSteps,
  getManagerName,
  type InstallContext,
  writeCodeSteps,
} from "../report/install-steps.js";
import { formatCount, formatFileNames, type Outcome, runAfterWriting } from "../report/outcome.js";
import { formatWorkspaceSteps } from "../report/workspace-steps.js";
import { refuseOtherPackages, writeGeneration } from "./generate.js";
import { createContractRecord } from "./scaffold-record.js";
import { createCommands, findLocation, findTarget, type Location, recordFile, type Target } from "./server-folder.js";

/** `bothends scaffold server <name>`: writes a new server, or adds handlers to an existing one. */
export async function runScaffold(name: string, options: ScaffoldOptions, host: Host): Promise<Outcome> {
  const result = generateProject(options, host);
  if (result.kind === "refused") {
    return result.outcome;
  }
  const recovery = recoverInterruptedRun(findLocation(name, result.generation, options, host), options);
  if (recovery === undefined) {
    return scaffold(name, result.generation, options, host);
  }
  // The interrupted run may have written sources, so they are read again.
  const secondResult = generateProject(options, host);
  if (secondResult.kind === "refused") {
    return secondResult.outcome;
  }
  const outcome = await scaffold(name, secondResult.generation, options, host);
  return recovery === "undone" ? outcome : { ...outcome, notes: [...(outcome.notes ?? []), finishedNote] };
}

const adapterNote = "--adapter has no effect on an existing server: only new servers are written for an adapter.";

const finishedNote =
  "An interrupted run had already written its files, so this report does not list the changes of that run.";

/**
 * Finishes the changes of an interrupted run, or undoes them: changes to the server are undone if possible, because
 * this run makes and reports them again. A dry run only reports the interruption.
 */
function recoverInterruptedRun(
  { paths, output, generated }: Location,
  { dryRun }: ScaffoldOptions,
): Recovery | undefined {
  if (dryRun === true) {
    assertNotInterrupted(output);
    return undefined;
  }
  const recoveries = [finishInterrupted(output, paths), finishInterrupted(generated)];
  return (["finished", "undone"] as const).find((recovery) => recoveries.includes(recovery));
}

/** Writes a new server, or adds handlers to an existing one, when no interrupted run is left. */
async function scaffold(name: string, generation: Generation, options: ScaffoldOptions, host: Host): Promise<Outcome> {
  const { scaffoldServer: mergeServer, serverAdapters } = await import("@bothends/generator/scaffold");
  const scaffoldServer = (inputs: ScaffoldInputs) => explainMissingLibrary(() => mergeServer(inputs), host);
  const adapter = serverAdapters.find((adapter) => adapter === (options.adapter ?? "node"));
  if (adapter === undefined) {
    throw new UsageError(`There is no adapter "${options.adapter}".`, {
      help: `Adapters: ${serverAdapters.join(", ")}.`,
    });
  }
  const target = findTarget(findLocation(name, generation, options, host));
  const { server, existing } = target;
  const { contract } = generation;
  const newRecord = createContractRecord(contract, target.inputs.plan);
  const inputs = {
    ...target.inputs,
    ...server,
    existingFiles: existing,
    adapter,
    templates: readTemplates(),
    commands: {
      ...createCommands(name, options),
      link: formatLinkCommand("server", {
        generation: { ...generation, formatDisplayPath: target.formatProjectPath },
        host,
      }),
    },
    packageManager: getManagerName(host),
    formatDisplayPath: (path: string) => `${target.formatDisplayPath(server.path)}/${path}`,
    contract: newRecord.text,
    findChangesSince: newRecord.findChangesSince(target.inputs.config),
  };
  const firstMerge = scaffoldServer({ ...inputs, renames: readRenames(options) });
  if (firstMerge.report !== undefined && !existing.has(recordFile) && options.allowNonempty !== true) {
    const files = formatFileNames([...existing.keys()].sort());
    throw new UsageError(
      `${target.formatDisplayPath(server.path)} contains files that scaffold did not write: ${files}.`,
      {
        help: "Choose another folder with --path, or write beside the files with --allow-nonempty.",
      },
    );
  }
  refuseRenamesInNewServer(firstMerge, target, options);
  refuseSyntaxErrors(firstMerge, target.formatDisplayPath(server.path));
  const scaffoldResult = await withAgreedRenames(firstMerge, { inputs, options, host, scaffoldServer });
  const packageStatus = generateMissingPackages(generation, options, host);
  if (packageStatus.refusal !== undefined) {
    return packageStatus.refusal;
  }
  const { report } = scaffoldResult;
  const dryRun = options.dryRun ?? false;
  const changes = dryRun
    ? formatChanges(scaffoldResult.files, { existing, folder: target.formatDisplayPath(server.path), host })
    : writeServer(scaffoldResult, target, packageStatus);
  const headline = `${getHeadline(report !== undefined, dryRun)} ${target.formatDisplayPath(server.path)}.\n`;
  const { scaffold: command } = createCommands(name, options);
  const folder = target.formatDisplayPath(server.path);
  const reportText = report && formatReport(report, { command, folder, verbose: options.verbose ?? false });
  const mergeText =
    dryRun && reportText ? withCurrentPositions(reportText, { ...scaffoldResult, folder, existing }) : reportText;
  return {
    exit: report?.notRenamed === undefined ? 0 : 1,
    diagnostics: generation.diagnostics,
    root: generation.inputRoot,
    body: `${packageStatus.text}${changes}${headline}${mergeText ?? (dryRun ? "" : formatStartSteps(target, { generation, host }))}`,
    notes: [...packageStatus.notes, ...(report === undefined || options.adapter === undefined ? [] : [adapterNote])],
    result: formatResult(report, dryRun),
  };
}

/**
 * Merges handlers. If ts-morph, with which `scaffold` reads the user's code, is not installed, throws an error that
 * says how to install it: npm does not install the dependencies of a linked package.
 */
function explainMissingLibrary<T>(merge: () => T, { workingFolder }: Host): T {
  try {
    return merge();
  } catch (error) {
    if (!(error instanceof Error) || !/^Cannot find (?:module|package) 'ts-morph'/.test(error.message)) {
      throw error;
    }
    const linkedFolder = findLinkedFolder();
    const folder = linkedFolder === undefined ? "" : quoteShellWord(formatPath(workingFolder, linkedFolder));
    throw new CommandError(
      "The package ts-morph is not installed, but scaffold needs it to read the code of a server.",
      {
        help:
          linkedFolder === undefined
            ? "bothends depends on it. Install the dependencies of the project again."
            : `The project links to ${folder}, and npm does not install the dependencies of a linked package.`,
        suggestion: linkedFolder === undefined ? "npm install" : `npm install --omit=dev --prefix ${folder}`,
      },
    );
  }
}

/** Writes the files of the server. Returns a line for each file that was written or removed. */
function writeServer(
  { files, movedPaths, movedFrom }: Scaffolded,
  { server, output, existing, formatDisplayPath }: Target,
  packages: Packages,
): string {
  const write = () =>
    writeBeside(output, files, {
      folder: server.path,
      existingFiles: existing,
      removed: movedPaths,
      movedFrom,
      keepsOldText: true,
    });
  return runAfterGenerating(packages, () => runInOutputRoot(output.root, write))
    .filter(({ path }) => posix.basename(path) !== recordFile)
    .map(({ path, oldBytes, newBytes }) => `  ${getVerb(oldBytes, newBytes)}  ${formatDisplayPath(path)}\n`)
    .join("");
}

/** Refuses `--rename` for a new server: the name of the server is probably misspelled. */
function refuseRenamesInNewServer(
  { report }: Scaffolded,
  { server, formatDisplayPath }: Target,
  options: ScaffoldOptions,
): void {
  if (report === undefined && readRenames(options).size > 0) {
    throw new UsageError(
      `${formatDisplayPath(server.path)} is not a scaffolded server, so it has no handlers to rename.`,
      { help: "Enter the name of an existing server, or its folder with --path." },
    );
  }
}

function refuseSyntaxErrors({ problems }: Scaffolded, folder: string): void {
  if (problems.length > 0) {
    const errors = problems.map((problem) => `  ${folder}/${problem}\n`).join("");
    throw new CommandError(`The server contains syntax errors, so handlers cannot be merged:\n${errors.trimEnd()}`, {
      help: "Correct these files, and run scaffold again.",
    });
  }
}

/** The state of the packages that the server uses: whether this run wrote them, or why it cannot. */
interface Packages {
  readonly text: string;
  readonly notes: readonly string[];
  /**
   * A phrase that names the folders to which this run wrote the packages: `packages/server and the folders beside it`.
   * Absent if the run wrote no packages.
   */
  readonly writtenTo?: string;
  /** The outcome to report; present only if the packages cannot be written. */
  readonly refusal?: Outcome;
}

/** Generates the server's packages if they are missing, and warns if they do not match the sources. */
function generateMissingPackages(generation: Generation, options: ScaffoldOptions, host: Host): Packages {
  const { output, tree, plan, formatDisplayPath } = generation;
  refuseOtherPackages(generation);
  const { added, changed, edited, removed } = compareTree(output, tree);
  const manifest = posix.join(plan.packages.server.path, "package.json");
  if (added.some(({ path }) => path === manifest)) {
    if (options.dryRun === true) {
      return { text: `Would generate the packages first: ${formatCount(added.length, "file")} added.\n`, notes: [] };
    }
    const outcome = writeGeneration(generation, { options: { allowNonempty: false }, host, start: host.now() });
    const writtenTo = `${formatDisplayPath(posix.dirname(manifest))} and the folders beside it`;
    return outcome.exit === 0
      ? { text: `Generated the packages first, in ${writtenTo}.\n`, notes: [], writtenTo }
      : { text: "", notes: [], refusal: outcome };
  }
  const differences = added.length + changed.length + edited.length + removed.length;
  const command = formatGenerateCommand(options);
  const note = `${formatCount(differences, "generated file")} differ${differences === 1 ? "s" : ""} from the sources; run npx ${command} before you build the server.`;
  return { text: "", notes: differences === 0 ? [] : [note] };
}

/** Writes the server. If that fails, the outcome still describes the packages that this run has already written. */
function runAfterGenerating<T>({ writtenTo }: Packages, write: () => T): T {
  return writtenTo === undefined
    ? write()
    : runAfterWriting(
        {
          failure: "The packages are written, but the server is not",
          result: `only the packages are written, in ${writtenTo}`,
        },
        write,
      );
}

/** Formats the next steps for a new server. In a workspace, one command links all packages. */
function formatStartSteps({ server, inputs, output, formatDisplayPath }: Target, context: InstallContext): string {
  const folder = quoteShellWord(formatDisplayPath(server.path));
  if (inputs.config.runtime.startsWith("workspace:")) {
    const steps = writeCodeSteps("Install and start the server:", ["pnpm install", `pnpm --dir ${folder} start`]);
    return `${steps}${formatServerCallStep(inputs.plan)}`;
  }
  const manager = getManagerName(context.host);
  const reason =
    manager === "npm"
      ? ""
      : `. Use npm in its folder, because ${manager} would copy the packages instead of linking them`;
  const startSteps = writeCodeSteps(`Install and start the server${reason}:`, [
    formatLinkCommand("server", context),
    `npm install --prefix ${folder}`,
    `npm start --prefix ${folder}`,
  ]);
  const workspaceSteps = formatWorkspaceSteps(join(output.root, server.path), context.host);
  return `${formatLinkerSteps(context.host)}${workspaceSteps}${startSteps}${formatServerCallStep(inputs.plan)}`;
}

function getVerb(before: unknown, after: unknown): string {
  if (after === undefined) {
    return "removed";
  }
  return before === undefined ? "added  " : "changed";
}

function getHeadline(isMerge: boolean, dryRun: boolean): string {
  if (dryRun) {
    return isMerge ? "Would merge into" : "Would scaffold";
  }
  return isMerge ? "Merged into" : "Scaffolded";
}

/** Asks the user in the terminal whether removed operations were renamed, and merges again with the answers. */
async function withAgreedRenames(
  firstMerge: Scaffolded,
  {
    inputs,
    options,
    host,
    scaffoldServer,
  }: {
    readonly inputs: ScaffoldInputs;
    readonly options: ScaffoldOptions;
    readonly host: Host;
    readonly scaffoldServer: (inputs: ScaffoldInputs) => Scaffolded;
  },
): Promise<Scaffolded> {
  const renames = new Map(readRenames(options));
  if (host.ask === undefined || options.dryRun === true) {
    return firstMerge;
  }
  const renameCount = renames.size;
  for (const { operation, newPath } of firstMerge.report?.removed ?? []) {
    const question = `${operation} was removed, and ${newPath} was added. Move the handler? [y/N] `;
    if (newPath !== undefined && /^y(?:es)?$/i.test((await host.ask(question)).trim())) {
      renames.set(operation, newPath);
    }
  }
  return renames.size === renameCount ? firstMerge : scaffoldServer({ ...inputs, renames });
}

function readRenames({ rename = [] }: ScaffoldOptions): ReadonlyMap<string, string> {
  return new Map(
    rename.map((text) => {
      const [, from, to] = /^([\w.$-]+)=([\w.$-]+)$/.exec(text) ?? [];
      if (from === undefined || to === undefined) {
        throw new UsageError("--rename needs old=new: the old and the new path of an operation in the handlers.", {
          suggestion: "--rename reg.checkMexico=reg.checkMexicanCar",
        });
      }
      return [from, to];
    }),
  );
}

/** Formats the names of new files, and the differences in existing files. */
function formatChanges(
  files: FileTree,
  { existing, folder, host }: { readonly existing: FileTree; readonly folder: string; readonly host: Host },
): string {
  const bytes = new TextEncoder();
  return [...files]
    .map(([path, text]) => {
      const oldText = existing.get(path);
      const file = `${folder}/${path}`;
      if (oldText === undefined) {
        return `  added    ${file}\n`;
      }
      if (oldText === text || path === recordFile) {
        return "";
      }
      const change = { path: file, oldBytes: bytes.encode(oldText), newBytes: bytes.encode(text) };
      return createUnifiedDiff(change, hasColor(host, host.out));
    })
    .join("");
}
