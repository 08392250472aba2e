import type { Change, ContractDiff } from "./diff-contracts.js";
import type { Judgement } from "./judge.js";
import type { Consequences, Level } from "./rules/rule.js";

export interface TextOptions {
  readonly color: boolean;
  /** Whether to print the reason for each change's consequences. */
  readonly verbose: boolean;
  /** Converts the path of a source to the path to print. */
  readonly pathOf: (path: string) => string;
}

const colors: Readonly<Record<Level, string>> = { breaks: "1;31", some: "33", tolerated: "36", none: "2" };

/** Prints the changes as text for a terminal. */
export function changesText(diff: ContractDiff, judgement: Judgement, options: TextOptions): string {
  const { base, current, changes } = diff;
  const heading = `From ${base} to ${current}:\n`;
  if (changes.length === 0) {
    return `${heading}  nothing changed.\n`;
  }
  return `${heading}${changes.map((change) => formatSingleChange(change, judgement, options)).join("")}`;
}

function formatSingleChange(change: Change, { reasons }: Judgement, { color, verbose, pathOf }: TextOptions): string {
  const allowReason = reasons.get(change.fingerprint);
  const paint = (text: string, style: string) => (color ? `\u001b[${style}m${text}\u001b[0m` : text);
  const operationNames = formatOperations(change);
  const direction = { input: ", in requests", output: ", in answers", calls: "" }[change.direction ?? "calls"];
  const position = positionText(change, pathOf);
  const lines = [
    change.message,
    `    ${paint(consequenceText(change.consequences), colors[change.level])}`,
    ...(position === "" ? [] : [`    ${position}`]),
    ...(operationNames === "" ? [] : [`    operations: ${operationNames}`]),
    `    ${paint(`rule: ${change.rule}${direction}; fingerprint: ${change.fingerprint}`, "2")}`,
    ...(change.undecided === undefined || verbose ? [] : [`    This is the worst case, because ${change.undecided}.`]),
    ...(allowReason === undefined ? [] : [`    allowed: ${allowReason}`]),
    ...(verbose ? [`    ${explanationText(change)}`] : []),
  ];
  return `  ${lines.join("\n")}\n`;
}

/**
 * Returns a change in one line: `Vehicle.Color: An optional member was added. Tolerated by new clients [member-added-optional]`.
 */
export function shortChange({ message, consequences, rule }: Change): string {
  return `${message} ${consequenceText(consequences)} [${rule}]`;
}

const cellWords: Readonly<Record<Level, string>> = {
  breaks: "**breaks**",
  some: "may break",
  tolerated: "tolerated",
  none: "–",
};

/** Prints the changes as Markdown for a pull request. */
export function changesMarkdown({ base, current, changes }: ContractDiff, judgement: Judgement): string {
  const heading = `## Contract changes\n\nFrom ${formatInlineCode(base)} to ${formatInlineCode(current)}.\n\n`;
  if (changes.length === 0) {
    return `${heading}Nothing changed.\n`;
  }
  const names = parties.map(({ name }) => name);
  const rows = [
    `| change | ${names.join(" | ")} |`,
    `|---|${names.map(() => "---|").join("")}`,
    ...changes.map(
      (change) => `| ${formatSummaryCell(change, judgement)} | ${formatConsequenceCells(change.consequences)} |`,
    ),
  ];
  const details = changes.map((change) => formatDetailItem(change, judgement)).join("");
  return `${heading}${rows.join("\n")}\n\n<details><summary>Positions and reasons</summary>\n\n${details}\n</details>\n`;
}

function formatSummaryCell(change: Change, { reasons }: Judgement): string {
  const allowedMark = reasons.has(change.fingerprint) ? " (allowed)" : "";
  return `${escapeMarkdown(change.message)}${allowedMark}`;
}

function formatConsequenceCells(consequences: Consequences): string {
  return parties.map(({ key }) => cellWords[consequences[key]]).join(" | ");
}

function formatDetailItem(change: Change, { reasons }: Judgement): string {
  const position = positionText(change);
  const operationNames = formatOperations(change);
  const allowReason = reasons.get(change.fingerprint);
  const sentences = [
    escapeMarkdown(explanationText(change)),
    ...(operationNames === "" ? [] : [`Operations: ${escapeMarkdown(operationNames)}.`]),
    ...(allowReason === undefined ? [] : [`Allowed: ${escapeMarkdown(allowReason)}.`]),
  ];
  return `- ${formatInlineCode(change.fingerprint)} ${formatInlineCode(change.rule)} ${position === "" ? "" : `at ${formatInlineCode(position)}`}: ${escapeMarkdown(change.message)} ${sentences.join(" ")}\n`;
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

/** The affected parties, as named in reports. */
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

/** Returns the parties that a change affects, as a phrase: `Breaks old clients; may break handlers`, `Affects nobody`. */
export function consequenceText(consequences: Consequences): string {
  const phrases = levelPhrases.flatMap(([level, verb]) => {
    const names = parties.filter(({ key }) => consequences[key] === level).map(({ name }) => name);
    return names.length === 0 ? [] : [`${verb} ${listText(names)}`];
  });
  const text = phrases.length === 0 ? "affects nobody" : phrases.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Joins names: `old clients, new clients and handlers`. */
function listText(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((part) => part !== "").join(" and ");
}

/** Returns the position of a change in both states: `a.wsdl:10:3 (was a.wsdl:8:3)`, `a.wsdl:10:3 (in both)`. */
export function positionText(
  { rule, oldPlace, newPlace }: Change,
  pathOf: (path: string) => string = (path) => path,
): string {
  const text = ({ path, line, column }: NonNullable<Change["oldPlace"]>) => `${pathOf(path)}:${line}:${column}`;
  if (newPlace === undefined) {
    return oldPlace === undefined ? "" : `was ${text(oldPlace)}`;
  }
  if (oldPlace === undefined) {
    return text(newPlace);
  }
  const [from, to] = [text(oldPlace), text(newPlace)];
  return from === to ? `${to} (in both)` : `${to} (${isAddition(rule) ? "in the old state: " : "was "}${from})`;
}

/** Whether the subject was added. The old position of an added subject is that of the item that now contains the subject. */
function isAddition(rule: string): boolean {
  return /-added\b/.test(rule);
}

/** Returns the names of the affected operations: at most six, then the number of the others. */
function formatOperations({ operations }: Change): string {
  const shownOperations = operations.slice(0, maxOperations);
  const hiddenCount = operations.length - shownOperations.length;
  return hiddenCount > 0 ? `${shownOperations.join(", ")} and ${hiddenCount} more` : shownOperations.join(", ");
}

const maxOperations = 6;

/** Explains the consequences of a change: its direction, the reason, and why the consequences may be undecided. */
export function explanationText({ direction, reason, undecided, strict }: Change): string {
  const directionSentence =
    direction === undefined
      ? ""
      : direction === "input"
        ? "The changed item is in requests, which clients write and servers read. "
        : "The changed item is in answers, which servers write and clients read. ";
  return [
    `${directionSentence}${reason}`,
    ...(undecided === undefined ? [] : [`This is the worst case, because ${undecided}.`]),
    ...(strict === undefined ? [] : [strict]),
  ].join(" ");
}
