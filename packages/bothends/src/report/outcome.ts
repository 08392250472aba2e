import { resolve } from "node:path";
import type { ContractDiff, Judgement } from "@bothends/diff";
import type { Diagnostic, Severity } from "@bothends/generator/diagnostics";
import { DiskError, findCommonFolder } from "@bothends/generator/disk";
import { capitalize, joinNames } from "@bothends/generator/text";
import { CommandError, type ExitCode } from "../host.js";
import { formatPath, quoteShellWord } from "../paths.js";
import type { RecordedRun } from "../run-record.js";

/** A mistake in the command line or on the disk, not in the sources. */
export interface Mistake {
  /** Sentences that describe the mistake. */
  readonly message: string;
  /** Sentences that explain how to correct the mistake. */
  readonly help?: string | undefined;
  /** A stack trace, with `--debug`. */
  readonly trace?: string | undefined;
}

/** The files that a command changed, or would change in a dry run, by path relative to the working directory. */
export interface ChangedFiles {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

/** The contract changes between two versions of the sources. */
export interface ContractChanges {
  readonly diff: ContractDiff;
  readonly judgement: Judgement;
}

/** The result of a command, which `present` prints in the selected format. */
export interface Outcome {
  readonly exit: ExitCode;
  readonly diagnostics?: readonly Diagnostic[];
  /** The folder to which the paths of the diagnostics are relative. */
  readonly root?: string;
  readonly mistakes?: readonly Mistake[];
  /** Text between the diagnostics and the verdict. It ends with a line break or is empty. */
  readonly body?: string;
  /**
   * The last part of the verdict, without a full stop: `nothing written`. Undefined if the command prints no verdict.
   */
  readonly result: string | undefined;
  /** The options or the command to try, shown at the end of the verdict: `--root onvif/ver10`. */
  readonly suggestion?: string | undefined;
  readonly files?: ChangedFiles | undefined;
  /** All contract changes, and those that exceed the allowed level. */
  readonly contractChanges?: ContractChanges | undefined;
  /** Warnings about situations that are not mistakes. */
  readonly notes?: readonly string[];
  /**
   * The files that this run read and wrote. The next run compares them with the disk to find out whether anything has
   * changed.
   */
  readonly record?: RecordedRun | undefined;
}

/** Options for printing outcomes. */
export interface ReportOptions {
  readonly format?: ReportFormat;
  /** Whether to print notes, and all warnings in full. */
  readonly verbose?: boolean;
  /** The keys of the warnings that an earlier run printed, and that are only counted now (`getWarningKey`). */
  readonly printedWarnings?: ReadonlySet<string>;
}

export const reportFormats = ["text", "json", "github"] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Formats a number and a noun: `1 error`, `9 warnings`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Formats some names: `a, b, c and 4 more files`. */
export function formatFileNames(names: readonly string[], maxNames = 3): string {
  const hiddenCount = names.length - maxNames;
  return hiddenCount > 1
    ? `${names.slice(0, maxNames).join(", ")} and ${formatCount(hiddenCount, "more file")}`
    : joinNames(names, "and");
}

/**
 * Returns the last line of a command's output: `1 error, 9 warnings; nothing written. Try --root onvif/ver10.`
 * Undefined if the command prints none.
 */
export function findVerdict(
  outcome: Outcome,
  { verbose = true }: { readonly verbose?: boolean } = {},
): string | undefined {
  const { result, suggestion, diagnostics = [] } = outcome;
  if (result === undefined) {
    return undefined;
  }
  const hiddenNote = !verbose && diagnostics.some(({ severity }) => severity === "info") ? " (see --verbose)" : "";
  const counts = `${formatCounts(outcome)}${hiddenNote}`;
  const sentences = [
    `${capitalize([...(counts === "" ? [] : [counts]), result].join("; "))}.`,
    ...(suggestion === undefined
      ? []
      : [`Try ${suggestion.replace(/^bothends /, "npx bothends ")}${suggestion.endsWith(".") ? "" : "."}`]),
    ...suggestExplain(outcome.exit === 0 ? [] : diagnostics),
  ];
  return sentences.join(" ");
}

function formatCounts({ mistakes = [], diagnostics = [] }: Outcome): string {
  const count = (severity: Severity) => diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const counts = [
    { number: count("error") + mistakes.length, noun: "error" },
    { number: count("warning"), noun: "warning" },
    { number: count("info"), noun: "note" },
  ];
  return counts
    .filter(({ number }) => number > 0)
    .map(({ number, noun }) => formatCount(number, noun))
    .join(", ");
}

const maxExplained = 3;

/** Suggests a `bothends explain` command that explains the errors. */
function suggestExplain(diagnostics: readonly Diagnostic[]): readonly string[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const codes = [...new Set(errors.map(({ code }) => code))].slice(0, maxExplained);
  return codes.length === 0 ? [] : [`Details: npx bothends explain ${codes.join(" ")}`];
}

/** The part of an outcome that describes the files that a command wrote before it failed. */
type WrittenPart = Pick<Outcome, "diagnostics" | "root" | "result" | "body" | "files">;

/** Thrown when a command fails after it has written files. The verdict then does not claim that nothing was written. */
class FailureAfterWriting extends Error {
  readonly writtenPart: WrittenPart;

  constructor(message: string, cause: unknown, written: WrittenPart) {
    super(message, { cause });
    this.name = "FailureAfterWriting";
    this.writtenPart = written;
  }
}

/**
 * Runs the last step of a command that has already written files. If the step fails, the outcome still describes these
 * files, and its message begins with `failure`: `The packages are written, but the server is not`.
 */
export function runAfterWriting<T>(
  { failure, ...written }: WrittenPart & { readonly failure: string },
  run: () => T,
): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof FailureAfterWriting
      ? new FailureAfterWriting(error.message, error.cause, joinWritten(written, error.writtenPart))
      : new FailureAfterWriting(failure, error, written);
  }
}

/** Adds the files that an earlier step of a command wrote to the outcome of a later step. */
function joinWritten(earlier: WrittenPart, later: WrittenPart): WrittenPart {
  if (earlier.files === undefined || later.files === undefined) {
    return later;
  }
  const files = joinFiles(earlier.files, later.files);
  return { ...later, files, result: formatFileCounts(files) };
}

/** Joins the changed files of two steps of a command. */
export function joinFiles(first: ChangedFiles, second: ChangedFiles): ChangedFiles {
  return {
    added: [...first.added, ...second.added],
    changed: [...first.changed, ...second.changed],
    removed: [...first.removed, ...second.removed],
    unchanged: first.unchanged + second.unchanged,
  };
}

/** Formats the counts of changed files: `2 added, 0 changed, 0 removed, 30 unchanged`. */
export function formatFileCounts({ added, changed, removed, unchanged }: ChangedFiles): string {
  return `${added.length} added, ${changed.length} changed, ${removed.length} removed, ${unchanged} unchanged`;
}

/**
 * Creates the outcome of a command that ended with an exception: a mistake in the command line or on the disk, or a bug
 * in bothends. `result` is the last part of the verdict if nothing was written.
 */
export function createFailureOutcome(
  error: unknown,
  { debug = false, result = "nothing written" }: { readonly debug?: boolean; readonly result?: string } = {},
): Outcome {
  if (error instanceof FailureAfterWriting) {
    const { mistakes = [], ...outcome } = createFailureOutcome(error.cause, { debug, result });
    const messages = mistakes.map((mistake) => ({ ...mistake, message: `${error.message}: ${mistake.message}` }));
    const isPartlyWritten = error.cause instanceof DiskError && error.cause.isPartlyWritten;
    return {
      ...outcome,
      mistakes: messages,
      ...error.writtenPart,
      ...(isPartlyWritten ? { result: outcome.result } : {}),
    };
  }
  const trace = debug && error instanceof Error ? error.stack : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const failure = { exit: 2, result } as const;
  if (error instanceof CommandError) {
    return { ...failure, mistakes: [{ message, help: error.help, trace }], suggestion: error.suggestion };
  }
  if (error instanceof DiskError) {
    const diskResult = error.isPartlyWritten ? "some files may have been written" : result;
    return { ...failure, result: diskResult, mistakes: [{ message, help: error.help, trace }] };
  }
  const help = "This is a bug in bothends. Please report it, with the stack trace that --debug shows.";
  return { ...failure, mistakes: [{ message: `internal error: ${message}`, help, trace }] };
}

/** The folder of the sources, and the working folder. */
interface Folders {
  readonly inputRoot: string;
  readonly workingFolder: string;
}

/** Suggests options that make refused input acceptable: `--root onvif/ver10`. Undefined if only the user can decide. */
export function suggestOptions(
  diagnostics: readonly Diagnostic[],
  { inputRoot, workingFolder }: Folders,
): string | undefined {
  const root = findSuggestedRoot(diagnostics, inputRoot);
  if (root !== undefined) {
    return `--root ${quoteShellWord(formatPath(workingFolder, root))}`;
  }
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return suggestLimits(errors) ?? suggestLenient(errors);
}

/**
 * Returns the nearest folder that contains the current root and all documents outside it; undefined if no document is
 * outside.
 */
export function findSuggestedRoot(diagnostics: readonly Diagnostic[], inputRoot: string): string | undefined {
  const roots = diagnostics.flatMap(({ remedy }) =>
    remedy?.kind === "root" ? [resolve(inputRoot, remedy.folder)] : [],
  );
  return roots.length === 0 ? undefined : roots.reduce(findCommonFolder);
}

/**
 * Suggests `--limit` with twice the value of each exceeded limit; undefined if there are also errors of another kind.
 */
function suggestLimits(errors: readonly Diagnostic[]): string | undefined {
  const limits = new Map<string, number>();
  for (const { remedy } of errors) {
    if (remedy?.kind !== "limit") {
      return undefined;
    }
    limits.set(remedy.name, Math.max(1, remedy.value) * 2);
  }
  return [...limits].map(([name, value]) => `--limit ${name}=${value}`).join(" ") || undefined;
}

/** Suggests `--lenient` if that option accepts all errors. */
function suggestLenient(errors: readonly Diagnostic[]): string | undefined {
  return errors.length > 0 && errors.every(({ remedy }) => remedy?.kind === "lenient") ? "--lenient" : undefined;
}
