import { capitalize, joinNames } from "@bothends/generator/text";
import type { Change, ContractDiff } from "./diff-contracts.js";
import type { Judgement } from "./judge.js";
import { type Consequences, findWorstLevel, type Level } from "./rules/rule.js";

/** Options for formatting a diff as text. */
export interface TextOptions {
  readonly color: boolean;
  /** Whether to print the reason for each change's consequences. */
  readonly verbose: boolean;
  /** Returns the path to print for the path of a source. */
  readonly formatPath: (path: string) => string;
}

const colors: Readonly<Record<Level, string>> = { breaks: "1;31", some: "33", tolerated: "36", none: "2" };

/** A change as it appears in reports. Two changes of one item that differ only in their direction are one entry. */
export interface ReportedChange extends Omit<Change, "direction" | "fingerprint"> {
  /** The only change of the item, or its changes in requests and in answers. */
  readonly parts: readonly [Change, ...Change[]];
}

/**
 * Joins the changes of each item in requests and in answers into one entry, unless an allow list accepts only one of
 * them.
 */
export function joinDirections(
  changes: readonly Change[],
  reasons: ReadonlyMap<string, string> = new Map(),
): readonly ReportedChange[] {
  const entries = new Map<string, ReportedChange>();
  for (const change of changes) {
    const { interface: interfaceName, rule, message, oldPosition, newPosition, fingerprint } = change;
    const key = JSON.stringify([interfaceName, rule, message, oldPosition, newPosition, reasons.get(fingerprint)]);
    const entry = entries.get(key);
    if (entry === undefined) {
      entries.set(key, { ...change, parts: [change] });
    } else if (isOtherDirection(entry, change)) {
      entries.set(key, addDirection(entry, change));
    } else {
      entries.set(`${key} ${fingerprint}`, { ...change, parts: [change] });
    }
  }
  return [...entries.values()];
}

function isOtherDirection({ parts: [part, ...otherParts] }: ReportedChange, { direction }: Change): boolean {
  return (
    otherParts.length === 0 && part.direction !== undefined && direction !== undefined && part.direction !== direction
  );
}

function addDirection(entry: ReportedChange, change: Change): ReportedChange {
  const findWorse = (party: keyof Consequences) =>
    findWorstLevel([entry.consequences[party], change.consequences[party]]);
  return {
    ...entry,
    consequences: {
      oldClients: findWorse("oldClients"),
      newClients: findWorse("newClients"),
      callers: findWorse("callers"),
      handlers: findWorse("handlers"),
    },
    level: findWorstLevel([entry.level, change.level]),
    undecided: entry.undecided ?? change.undecided,
    operations: [...new Set([...entry.operations, ...change.operations])],
    members: [...new Set([...entry.members, ...change.members])],
    parts: [...entry.parts, change],
  };
}

/** Formats the changes as text for a terminal. */
export function formatChangesAsText(diff: ContractDiff, judgement: Judgement, options: TextOptions): string {
  const { base, current, changes } = diff;
  const heading = `From ${base} to ${current}:\n`;
  if (changes.length === 0) {
    return `${heading}  nothing changed.\n`;
  }
  const entries = joinDirections(changes, judgement.reasons);
  return `${heading}${entries.map((change) => formatSingleChange(change, judgement, options)).join("")}`;
}

function formatSingleChange(
  change: ReportedChange,
  { reasons }: Judgement,
  { color, verbose, formatPath }: TextOptions,
): string {
  const allowReason = reasons.get(change.parts[0].fingerprint);
  const paint = (text: string, style: string) => (color ? `\u001b[${style}m${text}\u001b[0m` : text);
  const operationNames = formatOperations(change);
  const position = formatPosition(change, formatPath);
  const lines = [
    change.message,
    `    ${paint(formatConsequences(change.consequences), colors[change.level])}`,
    ...(position === "" ? [] : [`    ${position}`]),
    ...(operationNames === "" ? [] : [`    operations: ${operationNames}`]),
    `    ${paint(`rule: ${change.rule}${formatFingerprints(change)}`, "2")}`,
    ...(change.undecided === undefined || verbose ? [] : [`    This is the worst case, because ${change.undecided}.`]),
    ...(allowReason === undefined ? [] : [`    allowed: ${allowReason}`]),
    ...(verbose ? [`    ${formatExplanation(change)}`] : []),
  ];
  return `  ${lines.join("\n")}\n`;
}

const directionTexts = { input: "in requests", output: "in answers" } as const;

/** Formats the directions and the fingerprints of a change: `, in requests; fingerprint: 0123456789ab`. */
function formatFingerprints({ parts }: ReportedChange): string {
  const [{ direction, fingerprint }, ...otherParts] = parts;
  if (otherParts.length === 0) {
    return `${direction === undefined ? "" : `, ${directionTexts[direction]}`}; fingerprint: ${fingerprint}`;
  }
  const texts = parts.map((part) => `${part.fingerprint} ${directionTexts[part.direction ?? "input"]}`);
  return `; fingerprints: ${texts.join(", ")}`;
}

/**
 * Formats each change as one line: `Vehicle.Color: An optional member was added. Tolerated by new clients
 * [member-added-optional]`.
 */
export function formatShortChanges(changes: readonly Change[]): readonly string[] {
  return joinDirections(changes).map(formatShortChange);
}

/** Formats a change as one line. */
export function formatShortChange({ message, consequences, rule }: ReportedChange): string {
  return `${message} ${formatConsequences(consequences)} [${rule}]`;
}

const cellWords: Readonly<Record<Level, string>> = {
  breaks: "**breaks**",
  some: "may break",
  tolerated: "tolerated",
  none: "–",
};

/** Formats the changes as Markdown for a pull request. */
export function formatChangesAsMarkdown({ base, current, changes }: ContractDiff, judgement: Judgement): string {
  const heading = `## Contract changes\n\nFrom ${formatInlineCode(base)} to ${formatInlineCode(current)}.\n\n`;
  if (changes.length === 0) {
    return `${heading}Nothing changed.\n`;
  }
  const entries = joinDirections(changes, judgement.reasons);
  const names = parties.map(({ name }) => name);
  const rows = [
    `| change | ${names.join(" | ")} |`,
    `|---|${names.map(() => "---|").join("")}`,
    ...entries.map(
      (change) => `| ${formatSummaryCell(change, judgement)} | ${formatConsequenceCells(change.consequences)} |`,
    ),
  ];
  const details = entries.map((change) => formatDetailItem(change, judgement)).join("");
  return `${heading}${rows.join("\n")}\n\n<details><summary>Positions and reasons</summary>\n\n${details}\n</details>\n`;
}

function formatSummaryCell(change: ReportedChange, { reasons }: Judgement): string {
  const allowedMark = reasons.has(change.parts[0].fingerprint) ? " (allowed)" : "";
  return `${escapeMarkdown(change.message)}${allowedMark}`;
}

function formatConsequenceCells(consequences: Consequences): string {
  return parties.map(({ key }) => cellWords[consequences[key]]).join(" | ");
}

function formatDetailItem(change: ReportedChange, { reasons }: Judgement): string {
  const position = formatPosition(change);
  const operationNames = formatOperations(change);
  const allowReason = reasons.get(change.parts[0].fingerprint);
  const fingerprints = change.parts.map(({ fingerprint }) => formatInlineCode(fingerprint)).join(" ");
  const sentences = [
    escapeMarkdown(formatExplanation(change)),
    ...(operationNames === "" ? [] : [`Operations: ${escapeMarkdown(operationNames)}.`]),
    ...(allowReason === undefined ? [] : [`Allowed: ${escapeMarkdown(allowReason)}.`]),
  ];
  return `- ${fingerprints} ${formatInlineCode(change.rule)} ${position === "" ? "" : `at ${formatInlineCode(position)}`}: ${escapeMarkdown(change.message)} ${sentences.join(" ")}\n`;
}

/** Escapes text from schemas for Markdown and HTML. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>|#@!&~]/g, (character) =>
      character === "<" ? "&lt;" : character === "&" ? "&amp;" : `\\${character}`,
    )
    .replace(/[\r\n]+/g, " ");
}

function formatInlineCode(text: string): string {
  return `\`${text.replace(/[`\r\n|]/g, "'")}\``;
}

/** The parties that a change can affect, with their names in reports. */
const parties: readonly { readonly key: keyof Consequences; readonly name: string }[] = [
  { key: "oldClients", name: "old clients" },
  { key: "newClients", name: "new clients" },
  { key: "callers", name: "TypeScript callers" },
  { key: "handlers", name: "handlers" },
];

const levelPhrases: readonly (readonly [Level, string])[] = [
  ["breaks", "breaks"],
  ["some", "may break"],
  ["tolerated", "tolerated by"],
];

/** Formats the consequences as a phrase: `Breaks old clients; may break handlers`, `Affects nobody`. */
export function formatConsequences(consequences: Consequences): string {
  const phrases = levelPhrases.flatMap(([level, verb]) => {
    const names = parties.filter(({ key }) => consequences[key] === level).map(({ name }) => name);
    return names.length === 0 ? [] : [`${verb} ${joinNames(names, "and")}`];
  });
  const text = phrases.length === 0 ? "affects nobody" : phrases.join("; ");
  return capitalize(text);
}

/** Formats the positions of a change in both versions: `a.wsdl:10:3 (was a.wsdl:8:3)`, `a.wsdl:10:3 (in both)`. */
function formatPosition(
  { rule, oldPosition, newPosition }: Pick<Change, "rule" | "oldPosition" | "newPosition">,
  formatPath: (path: string) => string = (path) => path,
): string {
  const formatSource = ({ path, line, column }: NonNullable<Change["oldPosition"]>) =>
    `${formatPath(path)}:${line}:${column}`;
  if (newPosition === undefined) {
    return oldPosition === undefined ? "" : `was ${formatSource(oldPosition)}`;
  }
  if (oldPosition === undefined) {
    return formatSource(newPosition);
  }
  const [from, to] = [formatSource(oldPosition), formatSource(newPosition)];
  return from === to ? `${to} (in both)` : `${to} (${isAddition(rule) ? "in the old version: " : "was "}${from})`;
}

/** Whether a rule reports an added item. The old position then belongs to the item that now contains the added item. */
function isAddition(rule: string): boolean {
  return /-added\b/.test(rule);
}

/** Formats the names of the affected operations: at most six, then the number of the remaining ones. */
function formatOperations({ operations }: ReportedChange): string {
  const shownOperations = operations.slice(0, maxOperations);
  const hiddenCount = operations.length - shownOperations.length;
  return hiddenCount > 0 ? `${shownOperations.join(", ")} and ${hiddenCount} more` : shownOperations.join(", ");
}

const maxOperations = 6;

const directionSentences = {
  input: "The changed item is in requests, which clients write and servers read.",
  output: "The changed item is in answers, which servers write and clients read.",
  both: "The changed item is in requests and in answers.",
} as const;

/** Explains the consequences of a change: its direction, the reason, and why the consequences may be undecided. */
function formatExplanation({ parts, reason, undecided, strictPeers }: ReportedChange): string {
  const [{ direction }, ...otherParts] = parts;
  return [
    ...(direction === undefined ? [] : [directionSentences[otherParts.length === 0 ? direction : "both"]]),
    reason,
    ...(undecided === undefined ? [] : [`This is the worst case, because ${undecided}.`]),
    ...(strictPeers === undefined ? [] : [strictPeers]),
  ].join(" ");
}
