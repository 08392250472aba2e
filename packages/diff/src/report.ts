import { capitalize, joinNames } from "@bothends/generator/text";
import type { Change } from "./change.js";
import type { ContractDiff } from "./diff-contracts.js";
import { omitSubject } from "./group-changes.js";
import type { Judgement } from "./judge.js";
import { type Consequences, findWorstConsequences, findWorstLevel, type Level } from "./rules/rule.js";

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
  /**
   * The number of entries of the group, if the allow list accepts only some of them, so that the group is divided.
   */
  readonly undividedCount?: number;
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
  return {
    ...entry,
    consequences: findWorstConsequences([entry.consequences, change.consequences]),
    level: findWorstLevel([entry.level, change.level]),
    undecided: entry.undecided ?? change.undecided,
    operations: [...new Set([...entry.operations, ...change.operations])],
    members: [...new Set([...entry.members, ...change.members])],
    vanishedNames: [...new Set([...(entry.vanishedNames ?? []), ...(change.vanishedNames ?? [])])],
    parts: [...entry.parts, change],
  };
}

/** Entries of a report that differ only in their subjects and positions. */
export type ReportedGroup = readonly [ReportedChange, ...ReportedChange[]];

/**
 * Divides the entries of a report into groups. An entry without a group is the only one of its group. `reasons` are the
 * reasons of an allow list, by fingerprint.
 */
export function groupChanges(
  changes: readonly Change[],
  reasons: ReadonlyMap<string, string> = new Map(),
): readonly ReportedGroup[] {
  const groups = new Map<string, ReportedGroup>();
  const counts = new Map<string, number>();
  const getUndividedKey = ({ parts }: ReportedChange) => JSON.stringify(parts.map(({ group }) => group));
  for (const [index, entry] of joinDirections(changes, reasons).entries()) {
    const { parts } = entry;
    const isGrouped = parts.every(({ group }) => group !== undefined);
    const key = JSON.stringify([parts.map(({ group, fingerprint }) => [group, reasons.get(fingerprint)])]);
    const group = isGrouped ? groups.get(key) : undefined;
    groups.set(isGrouped ? key : String(index), group === undefined ? [entry] : [...group, entry]);
    counts.set(getUndividedKey(entry), (counts.get(getUndividedKey(entry)) ?? 0) + 1);
  }
  return [...groups.values()].map(([first, ...others]): ReportedGroup => {
    const undividedCount = counts.get(getUndividedKey(first)) ?? 0;
    return others.length > 0 && undividedCount > others.length + 1
      ? [{ ...first, undividedCount }, ...others]
      : [first, ...others];
  });
}

const maxSubjects = 10;

/**
 * Formats the message about a group, with the number of places in its first sentence: `An optional argument was added
 * (page), in 12 places.`
 */
function formatGroupMessage(group: ReportedGroup): string {
  const [change] = group;
  const message = omitSubject(change) ?? change.message;
  const places = `, in ${group.length} places`;
  if (guessPattern.test(message)) {
    return message.replace(guessPattern, `${places}$&`);
  }
  const [firstSentence = message] = /^.*?\.(?= |$)/s.exec(message) ?? [];
  const name = findSharedName(group);
  const suffix = name === undefined ? "" : ` (${name})`;
  return `${firstSentence.replace(/\.$/, "")}${suffix}${places}.${message.slice(firstSentence.length)}`;
}

/** The end of a sentence about an item that was probably renamed. */
const guessPattern = /: (?:renamed|moved)\?/;

/** Returns the name of the added or removed item of each change in a group, if the names are equal. */
function findSharedName(group: ReportedGroup): string | undefined {
  const [{ rule, before, after }] = group;
  const name = before === undefined ? after : after === undefined ? before : undefined;
  const isName = ({ subject, ...change }: ReportedChange) =>
    [change.before, change.after].includes(name) && [".", " "].some((mark) => subject.endsWith(`${mark}${name}`));
  return /^(?:argument|member)-(?:added|removed)-/.test(rule) && group.every(isName) ? name : undefined;
}

/** Formats the changes as text for a terminal. */
export function formatChangesAsText(diff: ContractDiff, judgement: Judgement, options: TextOptions): string {
  const { base, current, changes } = diff;
  const heading = `From ${base} to ${current}:\n`;
  if (changes.length === 0) {
    return `${heading}  nothing changed.\n`;
  }
  const groups = groupChanges(changes, judgement.reasons);
  const texts = groups.map((group) =>
    group.length === 1 ? formatSingleChange(group[0], judgement, options) : formatGroup(group, judgement, options),
  );
  return `${heading}${texts.join("")}`;
}

function formatSingleChange(
  change: ReportedChange,
  { reasons }: Judgement,
  { color, verbose, formatPath }: TextOptions,
): string {
  const allowReason = reasons.get(change.parts[0].fingerprint);
  const paint = (text: string, style: string) => (color ? `\u001b[${style}m${text}\u001b[0m` : text);
  const operationNames = formatNames(change.operations, maxNames);
  const position = formatPosition(change, formatPath);
  const lines = [
    change.message,
    `    ${paint(formatConsequences(change.consequences), colors[change.level])}`,
    ...(position === "" ? [] : [`    ${position}`]),
    ...(operationNames === "" ? [] : [`    operations: ${operationNames}`]),
    ...formatVanishedNames([change], verbose),
    `    ${paint(`rule: ${change.rule}${formatFingerprints(change)}`, "2")}`,
    ...(change.undecided === undefined || verbose ? [] : [`    This is the worst case, because ${change.undecided}.`]),
    ...(allowReason === undefined ? [] : [`    allowed: ${allowReason}`]),
    ...(verbose ? [`    ${formatExplanation(change)}`] : []),
  ];
  return `  ${lines.join("\n")}\n`;
}

/** Formats a group of changes: one sentence, and the subject and position of each change; the first ten by default. */
function formatGroup(
  group: ReportedGroup,
  { reasons }: Judgement,
  { color, verbose, formatPath }: TextOptions,
): string {
  const [change] = group;
  const allowReason = reasons.get(change.parts[0].fingerprint);
  const paint = (text: string, style: string) => (color ? `\u001b[${style}m${text}\u001b[0m` : text);
  const shownChanges = verbose ? group : group.slice(0, maxSubjects);
  const hiddenCount = group.length - shownChanges.length;
  const formatItem = (item: ReportedChange) => {
    const position = formatPosition(item, formatPath);
    const place = position === "" ? item.subject : `${item.subject}, ${position}`;
    return `    - ${place}${verbose ? paint(formatFingerprints(item), "2") : ""}`;
  };
  const { undividedCount } = change;
  const extent = undividedCount === undefined ? "all of them" : `all ${undividedCount} changes of the group`;
  const lines = [
    formatGroupMessage(group),
    `    ${paint(formatConsequences(change.consequences), colors[change.level])}`,
    ...shownChanges.map(formatItem),
    ...(hiddenCount === 0 ? [] : [`    and ${hiddenCount} more, which --verbose lists`]),
    ...formatVanishedNames(group, verbose),
    `    ${paint(`rule: ${change.rule}${formatFingerprints(withGroupFingerprints(change))} (${extent})`, "2")}`,
    ...(change.undecided === undefined || verbose ? [] : [`    This is the worst case, because ${change.undecided}.`]),
    ...(allowReason === undefined ? [] : [`    allowed: ${allowReason}`]),
    ...(verbose ? [`    ${formatExplanation(change)}`] : []),
  ];
  return `  ${lines.join("\n")}\n`;
}

/** Returns the fingerprints of a change in each direction; those of its group if it is one of several changes. */
export function listFingerprints(group: ReportedGroup): readonly string[] {
  const [change] = group.length === 1 ? group : [withGroupFingerprints(group[0])];
  return change.parts.map(({ fingerprint }) => fingerprint);
}

/** Replaces the fingerprint of a change in each direction with that of its group. */
function withGroupFingerprints(change: ReportedChange): ReportedChange {
  const replace = (part: Change): Change => ({ ...part, fingerprint: part.group ?? part.fingerprint });
  const [part, ...otherParts] = change.parts;
  return { ...change, parts: [replace(part), ...otherParts.map(replace)] };
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
 * [member-added-optional]`. Changes that differ only in their subjects and positions are one line with the first three
 * subjects; with all of them if `verbose` is true.
 */
export function formatShortChanges(
  changes: readonly Change[],
  { verbose = false }: { readonly verbose?: boolean } = {},
): readonly string[] {
  return groupChanges(changes).map((group) => {
    const [change] = group;
    return group.length === 1
      ? formatShortChange(change)
      : formatShortChange({
          ...change,
          message: formatMessageOf(group).replace(/(, in \d+ places)(:?)/, (_, places: string, colon: string) => {
            const subjects = formatSubjects(group, verbose);
            return colon === "" ? `${places}: ${subjects}` : `${places} (${subjects}):`;
          }),
        });
  });
}

const maxShortSubjects = 3;

function formatSubjects(group: ReportedGroup, verbose: boolean): string {
  const subjects = group.map(({ subject }) => subject);
  const shownSubjects = verbose ? subjects : subjects.slice(0, maxShortSubjects);
  const hiddenCount = subjects.length - shownSubjects.length;
  return hiddenCount === 0 ? joinNames(subjects, "and") : `${shownSubjects.join(", ")} and ${hiddenCount} more`;
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
export function formatChangesAsMarkdown(
  { base, current, changes }: ContractDiff,
  judgement: Judgement,
  { formatPath }: Pick<TextOptions, "formatPath">,
): string {
  const heading = `## Contract changes\n\nFrom ${formatInlineCode(base)} to ${formatInlineCode(current)}.\n\n`;
  if (changes.length === 0) {
    return `${heading}Nothing changed.\n`;
  }
  const groups = groupChanges(changes, judgement.reasons);
  const names = parties.map(({ name }) => name);
  const rows = [
    `| change | ${names.join(" | ")} |`,
    `|---|${names.map(() => "---|").join("")}`,
    ...groups.map(
      (group) => `| ${formatSummaryCell(group, judgement)} | ${formatConsequenceCells(group[0].consequences)} |`,
    ),
  ];
  const details = groups.map((group) => formatDetailItem(group, judgement, formatPath)).join("");
  return `${heading}${rows.join("\n")}\n\n<details><summary>Positions and reasons</summary>\n\n${details}\n</details>\n`;
}

function formatSummaryCell(group: ReportedGroup, { reasons }: Judgement): string {
  const allowedMark = reasons.has(group[0].parts[0].fingerprint) ? " (allowed)" : "";
  return `${escapeMarkdown(formatMessageOf(group))}${allowedMark}`;
}

function formatConsequenceCells(consequences: Consequences): string {
  return parties.map(({ key }) => cellWords[consequences[key]]).join(" | ");
}

/** Formats the sentence about a change, or about a group of changes: `A member was added, in 12 places.` */
export function formatMessageOf(group: ReportedGroup): string {
  return group.length === 1 ? group[0].message : formatGroupMessage(group);
}

function formatDetailItem(group: ReportedGroup, { reasons }: Judgement, formatPath: TextOptions["formatPath"]): string {
  const isGroup = group.length > 1;
  const change = isGroup ? withGroupFingerprints(group[0]) : group[0];
  const position = isGroup ? "" : formatPosition(change, formatPath);
  const operationNames = formatNames(change.operations, maxNames);
  const vanishedNames = listVanishedNames(group);
  const allowReason = reasons.get(group[0].parts[0].fingerprint);
  const fingerprints = listFingerprints(group).map(formatInlineCode).join(" ");
  const sentences = [
    escapeMarkdown(formatExplanation(change)),
    ...(operationNames === "" || isGroup ? [] : [`Operations: ${escapeMarkdown(operationNames)}.`]),
    ...(vanishedNames.length === 0 ? [] : [`No longer exported: ${formatNames(vanishedNames, vanishedNames.length)}.`]),
    ...(allowReason === undefined ? [] : [`Allowed: ${escapeMarkdown(endSentence(allowReason))}`]),
  ];
  return `- ${fingerprints} ${formatInlineCode(change.rule)}${position === "" ? "" : ` at ${formatInlineCode(position)}`}: ${escapeMarkdown(formatMessageOf(group))} ${sentences.join(" ")}\n${isGroup ? formatPlaces(group, formatPath) : ""}`;
}

/** Adds a full stop to a reason, unless it already ends with one. */
function endSentence(reason: string): string {
  return reason.trim().replace(/(?<![.!?])$/, ".");
}

/** Formats the subjects and positions of a group as a nested list. */
function formatPlaces(group: ReportedGroup, formatPath: TextOptions["formatPath"]): string {
  const places = listPlaces(group, (change) => {
    const position = formatPosition(change, formatPath);
    return `${escapeMarkdown(change.subject)}${position === "" ? "" : ` at ${formatInlineCode(position)}`}`;
  });
  return places.map((place) => `  - ${place}\n`).join("");
}

/** Formats the first ten changes of a group, and the number of the others. */
export function listPlaces(group: ReportedGroup, format: (change: ReportedChange) => string): readonly string[] {
  const places = group.slice(0, maxSubjects).map(format);
  const hiddenCount = group.length - places.length;
  return hiddenCount === 0 ? places : [...places, `and ${hiddenCount} more`];
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
  formatPath: (path: string) => string,
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
  return /-added\b|^wildcard-opened$/.test(rule);
}

/** Lists the names that generated code no longer exports in a line: with --verbose, all of them. */
function formatVanishedNames(changes: readonly ReportedChange[], verbose: boolean): readonly string[] {
  const names = listVanishedNames(changes);
  return names.length === 0 ? [] : [`    no longer exported: ${formatNames(names, verbose ? names.length : maxNames)}`];
}

function listVanishedNames(changes: readonly ReportedChange[]): readonly string[] {
  return [...new Set(changes.flatMap(({ vanishedNames = [] }) => vanishedNames))];
}

/** Formats the first names, then the number of the remaining ones. */
function formatNames(names: readonly string[], count: number): string {
  const shownNames = names.slice(0, count);
  const hiddenCount = names.length - shownNames.length;
  return hiddenCount > 0 ? `${shownNames.join(", ")} and ${hiddenCount} more` : shownNames.join(", ");
}

const maxNames = 6;

const directionSentences = {
  input: "The changed item is in requests, which clients write and servers read.",
  output: "The changed item is in answers, which servers write and clients read.",
  both: "The changed item is in requests and in answers.",
} as const;

/** Explains the consequences of a change: its direction, the reason, and why the consequences may be undecided. */
function formatExplanation({ parts, undecided, strictPeers }: ReportedChange): string {
  const [{ direction }, ...otherParts] = parts;
  return [
    ...(direction === undefined ? [] : [directionSentences[otherParts.length === 0 ? direction : "both"]]),
    ...formatReasons(parts),
    ...(undecided === undefined ? [] : [`This is the worst case, because ${undecided}.`]),
    ...(strictPeers === undefined ? [] : [strictPeers]),
  ].join(" ");
}

/** Formats the reasons of a change. If they depend on the direction, each one is printed with its direction. */
function formatReasons(parts: ReportedChange["parts"]): readonly string[] {
  const reasons = parts.map(({ reason }) => reason);
  const longest = reasons.find((reason) => reasons.every((other) => reason.startsWith(other)));
  if (longest !== undefined) {
    return longest === "" ? [] : [longest];
  }
  return parts.flatMap(({ direction = "input", reason }) =>
    reason === "" ? [] : [`${capitalize(directionTexts[direction])}: ${reason}`],
  );
}
