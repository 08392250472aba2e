import type { Change, ReportedGroup } from "@bothends/diff";
import {
  catalogue,
  type Diagnostic,
  formatDiagnostics,
  getPosition,
  type Severity,
  type SourceText,
} from "@bothends/generator/diagnostics";
import { type ExitCode, type Host, hasColor } from "../host.js";
import { createPathPrefixer } from "../paths.js";
import {
  type ContractChanges,
  findVerdict,
  formatCount,
  type Mistake,
  type Outcome,
  type ReportOptions,
} from "./outcome.js";

/**
 * Prints an outcome and returns the exit code. The verdict, if there is one, is the last line of standard output; after
 * a failure, of standard error.
 */
export async function present(outcome: Outcome, options: ReportOptions, host: Host): Promise<ExitCode> {
  const formatDisplayPath = createPathPrefixer(host.workingFolder, outcome.root);
  const formatPath = ({ path }: SourceText) => formatDisplayPath(path);
  const { format = "text", verbose = false, printedWarnings = new Set() } = options;
  if (format !== "text") {
    host.out.write(
      format === "json" ? createOutcomeJson(outcome, formatPath) : await formatOutcomeForGithub(outcome, formatPath),
    );
    return outcome.exit;
  }
  const stream = outcome.exit === 0 ? host.out : host.err;
  host.err.write(formatProblems(outcome, { color: hasColor(host, host.err), verbose, formatPath, printedWarnings }));
  host.err.write((outcome.notes ?? []).map((note) => `note: ${note}\n`).join(""));
  host.out.write(outcome.body ?? "");
  stream.write(formatVerdict(outcome, { color: hasColor(host, stream), verbose }));
  return outcome.exit;
}

/** Options for printing an outcome as text. */
interface TextOptions {
  readonly color: boolean;
  readonly verbose: boolean;
  /** Returns the path to print for a source, relative to the working directory. */
  readonly formatPath: (source: SourceText) => string;
  /** The keys of the warnings that are only counted. */
  readonly printedWarnings: ReadonlySet<string>;
}

/**
 * Returns what identifies a warning of one source in several runs. Its position is not a part, because other edits of
 * the source change it.
 */
export function getWarningKey({ code, message, span }: Diagnostic): string {
  return JSON.stringify([span.source.path, code, message]);
}

/** Formats the diagnostics and mistakes of an outcome. The text ends with a line break or is empty. */
function formatProblems({ diagnostics = [], mistakes = [] }: Outcome, options: TextOptions): string {
  return [
    options.verbose ? formatFull(withSeverity(diagnostics, "info"), options) : "",
    formatWarnings(withSeverity(diagnostics, "warning"), options),
    formatFull(withSeverity(diagnostics, "error"), options),
    ...mistakes.map((mistake) => formatMistake(mistake, options)),
  ].join("");
}

/** Formats the verdict as the last line; empty if the command has no verdict. */
function formatVerdict(outcome: Outcome, options: Pick<TextOptions, "color" | "verbose">): string {
  const verdict = findVerdict(outcome, options);
  return verdict === undefined ? "" : `${paint(verdict, outcome.exit === 0 ? "1" : "1;31", options)}\n`;
}

function withSeverity(diagnostics: readonly Diagnostic[], severity: Severity): readonly Diagnostic[] {
  return diagnostics.filter((diagnostic) => diagnostic.severity === severity);
}

function formatFull(diagnostics: readonly Diagnostic[], { color, formatPath }: TextOptions): string {
  return formatDiagnostics(diagnostics, { color, formatPath });
}

/** Formats the warnings that no earlier run printed, and counts the others. */
function formatWarnings(warnings: readonly Diagnostic[], options: TextOptions): string {
  if (options.verbose) {
    return formatFull(warnings, options);
  }
  const newWarnings = warnings.filter((warning) => !options.printedWarnings.has(getWarningKey(warning)));
  const oldCount = warnings.length - newWarnings.length;
  const isOrAre = oldCount === 1 ? "is" : "are";
  const note =
    oldCount === 0 ? "" : `note: ${formatCount(oldCount, "warning")} of an earlier run ${isOrAre} unchanged.\n`;
  return formatFolded(newWarnings, options) + note;
}

const maxPositions = 5;

/** Formats the first warning of each code in full. Of the remaining warnings, lists only the positions. */
function formatFolded(warnings: readonly Diagnostic[], options: TextOptions): string {
  const warningsByCode = new Map<string, Diagnostic[]>();
  for (const warning of warnings) {
    warningsByCode.set(warning.code, [...(warningsByCode.get(warning.code) ?? []), warning]);
  }
  return [...warningsByCode.values()]
    .map(([first, ...others]) => {
      const text = first === undefined ? "" : formatFull([first], options);
      return others.length === 0 ? text : `${text}${formatPositions(others, options)}`;
    })
    .join("");
}

function formatPositions(warnings: readonly Diagnostic[], options: TextOptions): string {
  const positions = warnings.slice(0, maxPositions).map(({ span }) => {
    const { line, column } = getPosition(span.source, span.start);
    return `${options.formatPath(span.source)}:${line}:${column}`;
  });
  const hiddenNote = warnings.length > positions.length ? ["… (--verbose shows all)"] : [];
  const count = `and ${formatCount(warnings.length, `more ${warnings[0]?.code} warning`)}:`;
  return `  ${paint(count, "33", options)} ${[...positions, ...hiddenNote].join(", ")}\n`;
}

function formatMistake({ message, help, trace }: Mistake, options: TextOptions): string {
  const lines = [
    `${paint("error:", "1;31", options)} ${message}`,
    ...(help === undefined ? [] : [`  help: ${help}`]),
    ...(trace === undefined ? [] : [trace]),
  ];
  return `${lines.join("\n")}\n`;
}

function paint(text: string, style: string, { color }: Pick<TextOptions, "color">): string {
  return color ? `\u001b[${style}m${text}\u001b[0m` : text;
}

type FormatPath = (source: SourceText) => string;

/** Formats all results of a command as one JSON object, whose members `docs/command-line.md` describes. */
function createOutcomeJson(outcome: Outcome, formatPath: FormatPath): string {
  const { exit, diagnostics = [], mistakes = [], files } = outcome;
  const object = {
    format: 1,
    exitCode: exit,
    verdict: findVerdict(outcome) ?? "",
    diagnostics: diagnostics.map((diagnostic) => createDiagnosticObject(diagnostic, formatPath)),
    mistakes: mistakes.map(({ message, help }) => ({ message, help })),
    files,
    notes: outcome.notes,
    contractChanges: outcome.contractChanges && createChangesObject(outcome.contractChanges, formatPath),
  };
  // Escapes the invisible characters that JSON strings may contain. Otherwise, the output stream would replace them
  // with code points.
  const text = JSON.stringify(object, null, 2).replaceAll(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
  return `${text}\n`;
}

function createDiagnosticObject(diagnostic: Diagnostic, formatPath: FormatPath): object {
  const { code, severity, span, message, help } = diagnostic;
  const start = getPosition(span.source, span.start);
  const end = getPosition(span.source, span.end);
  const { kind, fix } = catalogue[code];
  return {
    code,
    kind,
    severity,
    path: formatPath(span.source),
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    message,
    help: help ?? fix,
  };
}

function createChangesObject({ diff, judgement }: ContractChanges, formatPath: FormatPath): object {
  const { refusedChanges, reasons } = judgement;
  const withShownPath = (position: Change["oldPosition"]) =>
    position && { ...position, path: formatPath({ path: position.path, text: "" }) };
  const changes = diff.changes.map((change) => ({
    ...change,
    oldPosition: withShownPath(change.oldPosition),
    newPosition: withShownPath(change.newPosition),
    isBeyond: refusedChanges.includes(change),
    allowed: reasons.get(change.fingerprint),
  }));
  return { base: diff.base, current: diff.current, changes };
}

const changeCommands = { breaks: "error", some: "warning", tolerated: "notice", none: "notice" } as const;

/**
 * Returns the GitHub annotation for a change, or for changes that differ only in their subjects and positions, at the
 * position of the first one in the new schema. The level is always `notice` if all of them are allowed.
 */
async function createChangeCommand(
  group: ReportedGroup,
  { refusedChanges }: ContractChanges["judgement"],
  formatPath: FormatPath,
): Promise<string> {
  // Loaded on first use, because most commands do not compare schemas.
  const { formatConsequences, formatMessageOf, listFingerprints, listPlaces } = await import("@bothends/diff");
  const [{ rule, level, consequences, newPosition, oldPosition }] = group;
  const formatSource = ({ path, line, column }: NonNullable<Change["newPosition"]>) =>
    `${formatPath({ path, text: "" })}:${line}:${column}`;
  const position =
    newPosition === undefined
      ? {}
      : { file: formatPath({ path: newPosition.path, text: "" }), line: newPosition.line, col: newPosition.column };
  const formatPlace = (change: ReportedGroup[number]) => {
    const place = change.newPosition ?? change.oldPosition;
    return `${change.subject}${place === undefined ? "" : `, ${formatSource(place)}`}`;
  };
  const oldPositionNote =
    oldPosition === undefined || group.length > 1 ? "" : ` Old position: ${formatSource(oldPosition)}.`;
  const isRefused = group.some(({ parts }) => parts.some((part) => refusedChanges.includes(part)));
  const places = group.length === 1 ? [] : listPlaces(group, formatPlace).map((place) => `\n- ${place}`);
  const fingerprints = listFingerprints(group).join(" ");
  const text = `${formatMessageOf(group)}${places.join("")}\n${formatConsequences(consequences)}.${oldPositionNote} [${fingerprints}]`;
  return formatWorkflowCommand(isRefused ? changeCommands[level] : "notice", { ...position, title: `${rule}` }, text);
}

const commands = { error: "error", warning: "warning", info: "notice" } as const;

/** Formats the outcome as workflow commands of GitHub Actions, which annotate the lines of a pull request. */
async function formatOutcomeForGithub(outcome: Outcome, formatPath: FormatPath): Promise<string> {
  const { exit, files, diagnostics = [], mistakes = [], contractChanges, notes = [] } = outcome;
  const lines = [
    ...diagnostics.map(({ code, severity, span, message, help }) => {
      const { line, column } = getPosition(span.source, span.start);
      const { kind, fix } = catalogue[code];
      const properties = { file: formatPath(span.source), line, col: column, title: `${code} (${kind})` };
      return formatWorkflowCommand(commands[severity], properties, `${message}\n${help ?? fix}`);
    }),
    ...mistakes.map(({ message, help }) =>
      formatWorkflowCommand(
        "error",
        { title: "bothends" },
        [message, help].filter((text) => text !== undefined).join("\n"),
      ),
    ),
  ];
  if (exit === 1 && files !== undefined) {
    const outOfDate = [...files.added, ...files.changed, ...files.removed];
    const message = "This generated file is out of date. Run npx bothends generate.";
    lines.push(...outOfDate.map((file) => formatWorkflowCommand("error", { file, title: "bothends" }, message)));
  }
  if (contractChanges !== undefined) {
    const { diff, judgement } = contractChanges;
    const { groupChanges } = await import("@bothends/diff");
    const groups = groupChanges(diff.changes, judgement.reasons);
    lines.push(...(await Promise.all(groups.map((group) => createChangeCommand(group, judgement, formatPath)))));
  }
  lines.push(...notes.map((note) => formatWorkflowCommand("warning", { title: "bothends" }, note)));
  const verdict = findVerdict(outcome);
  return [...lines, ...(verdict === undefined ? [] : [verdict])].map((line) => `${line}\n`).join("");
}

function formatWorkflowCommand(
  name: string,
  properties: Readonly<Record<string, string | number>>,
  text: string,
): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${name} ${list.join(",")}::${escapeXmlText(text)}`;
}

function escapeXmlText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeXmlText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** A progress line that a long-running command shows in the terminal. */
export interface Progress {
  /** Shows a step if the command has been running for 700 ms, or at once if `isLong` says that the step takes long. */
  show(step: string, isLong?: boolean): void;
  /** Removes the progress line. */
  end(): void;
}

/** The time in milliseconds after which a running command shows its progress. */
const silentMilliseconds = 700;
const maxStepCharacters = 70;

/** Creates a progress line, which is shown only if the output is a terminal and the command takes long. */
export function startProgress(host: Host): Progress {
  if (!host.err.isTTY) {
    return { show() {}, end() {} };
  }
  const start = host.now();
  let isShown = false;
  return {
    show(step, isLong = false) {
      if (isLong || host.now() - start >= silentMilliseconds) {
        isShown = true;
        const text = step.length > maxStepCharacters ? `${step.slice(0, maxStepCharacters)}…` : step;
        host.err.write(`\r\u001b[2K${text.replaceAll(/\p{Cc}/gu, " ")}`);
      }
    },
    end() {
      if (isShown) {
        host.err.write("\r\u001b[2K");
      }
    },
  };
}
