import type { Contract } from "@bothends/generator";
import type { FileChange, TreePlan } from "@bothends/generator/disk";
import type {
  AbsentHandlers,
  ChangedHandler,
  HandlerChanges,
  MergeReport,
  RemovedHandler,
  UnmovedHandler,
} from "@bothends/generator/scaffold";
import { joinNames } from "@bothends/generator/text";
import { createTwoFilesPatch } from "diff";
import { formatCount } from "./outcome.js";

// Describes the changes that a command made: generated files with their diffs, and handlers of a scaffolded server.

/** Formats the size of a contract: `2 interfaces, 21 operations, 14 types`. */
export function formatContractSummary({ interfaces }: Contract): string {
  const operations = interfaces.flatMap((contractInterface) =>
    contractInterface.kind === "rest"
      ? [contractInterface.endpoints.length]
      : contractInterface.services.map((service) => service.operations.length),
  );
  const types = interfaces.map(
    (contractInterface) =>
      (contractInterface.kind === "rest" ? contractInterface.answers : contractInterface.types).length,
  );
  return [
    formatCount(interfaces.length, "interface"),
    formatCount(sum(operations), "operation"),
    formatCount(sum(types), "type"),
  ].join(", ");
}

const maxLines = 100;

/** Options for a list of changed files. */
export interface SummaryOptions {
  /** The paths of the backup copies of edited files. */
  readonly backupPaths?: readonly string[];
  /** A folder whose files are counted, not listed. */
  readonly foldedFolder?: string | undefined;
  /** Converts a path in the output to one relative to the working folder, for messages. */
  readonly formatDisplayPath: (path: string) => string;
}

/** Formats the list of files that change. */
export function formatPlan(plan: TreePlan, options: SummaryOptions): string {
  const { backupPaths = [], formatDisplayPath } = options;
  const lines = [
    ...listChangeLines("added    ", plan.added, options),
    ...listChangeLines("changed  ", [...plan.changed, ...plan.edited], options),
    ...listChangeLines("removed  ", plan.removed, options),
    ...plan.keptPaths.map((path) => `  kept     ${formatDisplayPath(path)} (edited, and no longer generated)`),
    ...backupPaths.map((path) => `  backup   ${formatDisplayPath(path)}`),
  ];
  const listedLines = lines.slice(0, maxLines);
  const hiddenCount = lines.length - listedLines.length;
  const moreFiles = hiddenCount > 0 ? [`  … and ${formatCount(hiddenCount, "more file")}`] : [];
  return [...listedLines, ...moreFiles].map((line) => `${line}\n`).join("");
}

const maxContractLines = 60;

/** Formats contract changes, one per line, below a heading such as `Changes since HEAD (0123abcd):`. */
export function formatContractLines(base: string, changes: readonly string[], verbose = false): string {
  const shownChanges = verbose ? changes : changes.slice(0, maxContractLines);
  const hiddenCount = changes.length - shownChanges.length;
  const moreLines = hiddenCount > 0 ? [`… and ${formatCount(hiddenCount, "more change")} (--verbose lists all)`] : [];
  const lines = [...shownChanges, ...moreLines];
  return `Changes since ${base}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

function listChangeLines(
  verb: string,
  changes: readonly FileChange[],
  { foldedFolder, formatDisplayPath }: SummaryOptions,
): readonly string[] {
  const isInside = ({ path }: FileChange) => foldedFolder !== undefined && path.startsWith(`${foldedFolder}/`);
  const changesInside = changes.filter(isInside);
  const foldedLine =
    changesInside.length === 0
      ? []
      : [`  ${verb}${formatDisplayPath(foldedFolder ?? "")} (${formatCount(changesInside.length, "file")})`];
  return [
    ...changes.filter((change) => !isInside(change)).map(({ path }) => `  ${verb}${formatDisplayPath(path)}`),
    ...foldedLine,
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Options for the report about a server. */
interface HandlerReportOptions {
  /** The command line of this run, without its `--rename` options. */
  readonly command: string;
  readonly folder: string;
  /** Whether to list every handler. */
  readonly verbose: boolean;
}

/** Formats the result of `scaffold` for the last line of its output. */
export function formatResult(report: MergeReport | undefined, dryRun: boolean): string {
  if (dryRun) {
    return "nothing written";
  }
  if (report === undefined) {
    return "created a new server";
  }
  const { added: addedOperations, changed, removed, renamed, notRenamed = [], unmoved = [] } = report;
  const counts = [
    `${formatCount(addedOperations.length, "handler")} added`,
    ...(renamed.length > 0 ? [`${renamed.length} renamed`] : []),
    ...(notRenamed.length > 0 ? [`${notRenamed.length} not renamed`] : []),
    `${new Set(changed.map(({ operation }) => operation)).size + unmoved.length} to check`,
    `${removed.length} to remove`,
  ];
  return counts.join(", ");
}

/** Formats the results of a merge, and the remaining tasks for the user. */
export function formatReport(report: MergeReport, options: HandlerReportOptions): string {
  const lines = [
    ...formatAddedLines(report.added),
    ...report.renamed.map(({ from, to, keptFiles = [] }) => {
      const files = keptFiles.map((path) => `${options.folder}/${path}`).join(", ");
      return `handler renamed: ${from} is now ${to}${files === "" ? "" : `, but its code stays in ${files}`}`;
    }),
    ...(report.unmoved ?? []).map((handler) => formatUnmovedLine(handler, options.folder)),
    ...formatRemovedLines(report, options),
    ...formatChangedLines(report.changed, options),
    ...report.notes,
    ...(report.absent ?? []).map((absent) => formatAbsentLine(absent, options)),
  ];
  const compileLines =
    report.affectsCode || report.renamed.length > 0 || report.changed.some(({ affectsCode }) => affectsCode)
      ? [report.isJavaScript ? checkAdvice : compileAdvice]
      : [];
  return [...(lines.length === 0 ? ["Every operation has a handler."] : lines), ...compileLines]
    .map((line) => `${line}\n`)
    .join("");
}

const compileAdvice =
  "Then compile the server: TypeScript reports other code that these changes affect, such as functions and tests.";

/** The advice for a server without TypeScript, which no compiler checks. */
const checkAdvice = "Then check other code that these changes affect, such as functions and tests.";

/** The maximum number of added handlers with a line for each of them. */
const maxAddedLines = 5;

function formatAddedLines(operations: readonly string[]): readonly string[] {
  return operations.length > maxAddedLines
    ? [`handlers added: ${joinNames(operations, "and")}`]
    : operations.map((operation) => `handler added: ${operation}`);
}

/** The maximum number of operations that a line about missing handlers lists. */
const maxOperations = 5;

function formatAbsentLine(
  { position, reason, operations }: AbsentHandlers,
  { folder, verbose }: HandlerReportOptions,
): string {
  const shownOperations = verbose ? operations : operations.slice(0, maxOperations);
  const hiddenCount = operations.length - shownOperations.length;
  const more = hiddenCount === 0 ? [] : [`${hiddenCount} more (--verbose lists all)`];
  const names = joinNames([...shownOperations, ...more], "and");
  const [handlers, pronoun] = operations.length === 1 ? ["a handler", "it"] : ["handlers", "them"];
  const start = `${folder}/${position}:`;
  switch (reason) {
    case "unknown":
      return `${start} It is unknown whether this object has ${handlers} for ${names}. TypeScript reports missing handlers.`;
    case "not required":
      return `${start} This object has no ${operations.length === 1 ? "handler" : "handlers"} for ${names}, and its type does not require ${pronoun}.`;
    case "left out":
      return `${start} With this option, no ${operations.length === 1 ? "handler was" : "handlers were"} added for ${names}. Calls of ${operations.length === 1 ? "this operation" : "these operations"} are answered with an error.`;
    case "unread":
      return `${start} It is unknown which handlers ${names} ${operations.length === 1 ? "has" : "have"}, because they are not in an object literal or a class. TypeScript reports missing handlers.`;
  }
}

function formatUnmovedLine(handler: UnmovedHandler, folder: string): string {
  const { from, to, reason, position, newPosition, uses, code, removedGroup } = handler;
  const removal = describeCodeToRemove(code, folder);
  const removalText = removal === undefined ? "" : ` Then ${lowerFirst(removal)} (${folder}/${code.member}).`;
  const groupText = removedGroup === undefined ? "" : ` If ${removedGroup} has no other handlers, remove it, too.`;
  const usesText = uses.map((use) => `${folder}/${use}`).join(", ");
  const end = usesText === "" ? "" : ` Other code names ${from}, too: ${usesText}. Change the name there.`;
  return `check: ${from} (${folder}/${position}) was not moved to ${to} (${folder}/${newPosition}). ${reason} Move the handler yourself, with the imports and the code that it needs.${removalText}${groupText}${end}`;
}

/**
 * Formats the handlers that no longer compile, each with a suggestion, and the command that moves handlers of renamed
 * operations.
 */
function formatRemovedLines(
  { removed, candidates, possibleMoves = [] }: MergeReport,
  { command, folder }: HandlerReportOptions,
): readonly string[] {
  const lines = removed.map((handler) => {
    const { operation, position, files, declarations, newPath, isMoved } = handler;
    const member = `${folder}/${position}`;
    const code = [...files, ...declarations].map((position) => `${folder}/${position}`).join(", ");
    const location = code === "" ? member : `${code}, listed at ${member}`;
    const removal = describeRemoval(handler, folder);
    if (newPath !== undefined && isMoved === true) {
      return `moved to another service: ${operation} (${location}) is now ${newPath}. Move its handler with the command below. If you write a new one instead, ${lowerFirst(removal)}`;
    }
    const newPaths = newPath === undefined ? listPossiblePaths(handler, possibleMoves) : [newPath];
    const advice = newPaths.length === 0 ? removal : `${askForRename(newPaths)} If not, ${lowerFirst(removal)}`;
    return `no longer in the schema: ${operation} (${location}). ${advice}`;
  });
  // A class and its base class may both have the handler.
  const renames = new Set(
    removed.flatMap(({ operation, newPath }) => (newPath === undefined ? [] : [`--rename ${operation}=${newPath}`])),
  );
  const unmatchedHandlers = removed.filter(({ newPath }) => newPath === undefined);
  return [
    ...lines,
    ...(renames.size === 0
      ? []
      : [
          `To move ${removed.some(({ isMoved }) => isMoved) ? "these" : "renamed"} handlers: ${command} ${[...renames].join(" ")}`,
        ]),
    ...(unmatchedHandlers.length === 0 || candidates.length === 0
      ? []
      : [`If an operation was renamed, move its handler instead: ${command} --rename <old>=<new>`]),
  ];
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function describeRemoval(handler: RemovedHandler, folder: string): string {
  const { uses = [], isInClass, includedIn } = handler;
  const start =
    includedIn === undefined
      ? ""
      : `The handler ${includedIn} now receives the calls of this operation: move your code there. `;
  const usesText = uses.map((position) => `${folder}/${position}`).join(", ");
  const end = usesText === "" ? "" : ` Other code names this handler, too: ${usesText}. Remove the name there.`;
  const code = describeCodeToRemove(handler, folder);
  return code === undefined
    ? `${start}Remove the handler${isInClass ? " from the class" : ", which no longer compiles"}.${end}`
    : `${start}${code}, which no longer compile.${end}`;
}

/**
 * Formats the request to remove the declarations of a handler in other files, and the code that refers to them.
 * Undefined if there are none.
 */
function describeCodeToRemove(
  { files, declarations, reExports }: Pick<RemovedHandler, "files" | "declarations" | "reExports">,
  folder: string,
): string | undefined {
  const count = files.length + declarations.length;
  if (count === 0) {
    return undefined;
  }
  const verb = declarations.length === 0 ? "Delete" : "Remove";
  const code = [formatNoun(files.length, "the file"), formatNoun(declarations.length, "the handler")]
    .filter((text) => text !== "")
    .join(" and ");
  const [owner, pronoun] = count === 1 ? ["its", "it"] : ["their", "them"];
  const positions = reExports.map((position) => `${folder}/${position}`).join(", ");
  const exportsText = positions === "" ? "" : `, ${owner} ${formatNoun(reExports.length, "re-export")} (${positions})`;
  return `${verb} ${code}, ${owner} ${formatNoun(count, "import")}${exportsText} and the member that refers to ${pronoun}`;
}

/** Formats a noun in the singular or the plural, without the count; empty if the count is 0. */
function formatNoun(count: number, noun: string): string {
  return count === 0 ? "" : `${noun}${count === 1 ? "" : "s"}`;
}

/** Returns the paths that are equally likely to be the new path of a handler. */
function listPossiblePaths(
  { operation, isGroup }: RemovedHandler,
  possibleMoves: HandlerChanges["moves"],
): readonly string[] {
  // Paths of moves may begin with a service that the handlers of an object of their own leave out.
  const isPathOf = (path: string) => path === operation || path.endsWith(`.${operation}`);
  const omitService = (path: string) => path.split(".").slice(-operation.split(".").length).join(".");
  return isGroup === true
    ? []
    : [...new Set(possibleMoves.filter(({ before }) => isPathOf(before)).map(({ after }) => omitService(after)))];
}

function askForRename(newPaths: readonly string[]): string {
  return `Was it renamed to ${joinNames(newPaths, "or")}?${newPaths.length === 1 ? "" : " These names are equally likely."}`;
}

// The maximum number of handlers listed for one change, and of changes. All handlers that the user has written are
// listed, because a later run does not list a change again.
const maxHandlers = 3;
const maxChanges = 10;

/** Formats each change with the handlers that it affects, beginning with handlers that the user has written. */
function formatChangedLines(
  changedHandlers: readonly ChangedHandler[],
  { folder, verbose }: HandlerReportOptions,
): readonly string[] {
  const changesByText = new Map<string, [ChangedHandler, ...ChangedHandler[]]>();
  for (const handler of changedHandlers) {
    const key = `${formatCondition(handler)}: ${handler.change}`;
    const changes = changesByText.get(key);
    changesByText.set(key, changes === undefined ? [handler] : [...changes, handler]);
  }
  const blocks = [...changesByText.values()].map((changes) => {
    const affectedHandlers = joinSubjects(changes);
    const implementedHandlers = affectedHandlers.filter(({ isImplemented }) => isImplemented);
    const handlers = [...implementedHandlers, ...affectedHandlers.filter(({ isImplemented }) => !isImplemented)];
    const shownHandlers = verbose ? handlers : handlers.slice(0, Math.max(maxHandlers, implementedHandlers.length));
    const hiddenCount = handlers.length - shownHandlers.length;
    // The changed items are on the line of each handler, unless all handlers have the same ones.
    const [sharedSubjects, ...otherSubjects] = new Set(handlers.map(({ subjects }) => joinNames(subjects, "and")));
    const isShared = otherSubjects.length === 0;
    const count = isShared ? "" : ` in ${formatCount(handlers.length, "operation")}`;
    const start = `changed${count}${formatCondition(changes[0])}:`;
    const lines = [
      isShared && sharedSubjects ? `${start} ${sharedSubjects}: ${changes[0].change}` : `${start} ${changes[0].change}`,
      ...shownHandlers.map(
        ({ step = "check", operation, position, subjects, previous }) =>
          `  ${step} ${operation} (${folder}/${position})${previous === undefined ? "" : `, whose calls ${previous.operation} answered before (${folder}/${previous.position})`}${isShared ? "" : `: ${joinNames(subjects, "and")}`}`,
      ),
      ...(hiddenCount > 0 ? [`  … and ${formatCount(hiddenCount, "more handler")} without your code`] : []),
    ];
    return { lines, isImplemented: implementedHandlers.length > 0 };
  });
  const shownBlocks = verbose
    ? blocks
    : blocks.filter(({ isImplemented }, index) => isImplemented || index < maxChanges);
  const hiddenCount = blocks.length - shownBlocks.length;
  return [
    ...shownBlocks.flatMap(({ lines }) => lines),
    ...(hiddenCount > 0 ? [`… and ${formatCount(hiddenCount, "more change")} of handlers without your code`] : []),
  ];
}

/** Joins equal changes of several items of a handler. */
function joinSubjects(
  changes: readonly ChangedHandler[],
): readonly (ChangedHandler & { readonly subjects: readonly string[] })[] {
  const handlers = new Map<string, ChangedHandler & { readonly subjects: readonly string[] }>();
  for (const change of changes) {
    const key = JSON.stringify([change.step, change.operation, change.position]);
    const { subjects = [] } = handlers.get(key) ?? {};
    handlers.set(key, {
      ...change,
      subjects: [...subjects, ...(change.subject === undefined ? [] : [change.subject])],
    });
  }
  return [...handlers.values()];
}

function formatCondition({ ifRenamed = [] }: ChangedHandler): string {
  const renames = ifRenamed.map(({ before, after }) => `${before} was renamed to ${after}`);
  return renames.length === 0 ? "" : ` if ${joinNames(renames, "and")}`;
}

// The maximum number of changed lines in a diff. Longer diffs are not useful and take quadratic time.
export const maxEditLength = 2000;

/** Formats a change of a file as a unified diff. */
export function createUnifiedDiff({ path, oldBytes, newBytes }: FileChange, color: boolean): string {
  const oldFileLabel = oldBytes === undefined ? "/dev/null" : `a/${path}`;
  const newFileLabel = newBytes === undefined ? "/dev/null" : `b/${path}`;
  const patch = createTwoFilesPatch(
    oldFileLabel,
    newFileLabel,
    getText(oldBytes),
    getText(newBytes),
    undefined,
    undefined,
    {
      context: 3,
      maxEditLength,
    },
  );
  if (patch === undefined) {
    return `--- ${oldFileLabel}\n+++ ${newFileLabel}\n(more than ${maxEditLength} lines differ)\n`;
  }
  const lines = patch.replace(/^=+\n/, "").split("\n");
  return lines.map((line) => (color ? colorizeLine(line) : line)).join("\n");
}

function getText(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : new TextDecoder("utf-8").decode(bytes).replaceAll(/\r\n?/g, "\n");
}

function colorizeLine(line: string): string {
  const code = line.startsWith("+") ? "32" : line.startsWith("-") ? "31" : line.startsWith("@@") ? "36" : undefined;
  return code === undefined ? line : `\u001b[${code}m${line}\u001b[0m`;
}
