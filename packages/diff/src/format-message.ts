import type { Difference } from "./compare/difference.js";
import { getRule, type RuleId } from "./rules/index.js";

/** Returns a sentence about a change: `Vehicle.Colour: An optional member was added.` */
export function formatMessage(
  id: RuleId,
  {
    subject,
    before,
    after,
    title,
  }: Pick<Difference, "subject" | "before" | "after"> & { readonly title?: string | undefined },
): string {
  if (before !== undefined && after !== undefined && guessRules.includes(id)) {
    // The subject of a member begins with its type: `Vehicle.Colour`. The subject of an argument begins with its
    // endpoint: `GET /core/v2/blocks page`.
    const isMember = id === "member-renamed" || id === "argument-renamed";
    const owner = isMember && subject.endsWith(after) ? subject.slice(0, -after.length) : "";
    const place = isMember && subject.startsWith(`${after} `) ? subject.slice(after.length) : "";
    return `${owner}${before} removed, ${after} added${place}: ${id === "member-moved" ? "moved" : "renamed"}?`;
  }
  const sentence = (title ?? getRule(id).title).replace(/\.$/, "");
  const completedValues =
    id === "name-in-code-changed" ? ([before, after] as const) : completeValues(id, before, after);
  const values = kindRules.includes(id) ? "" : formatValue(id, subject, completedValues);
  return (id === "style-changed" && subject === "style") || (id === "encoding-changed" && subject === "encoding")
    ? `${sentence.replace("an operation", "several operations")}${values}.`
    : `${subject}: ${sentence}${values}.`;
}

/** Rules whose titles contain their values. */
const kindRules: readonly RuleId[] = [
  "member-element-to-attribute",
  "member-attribute-to-element",
  "member-became-nillable",
  "member-became-not-nillable",
  "mixed-changed",
];

type Values = readonly [before: string | undefined, after: string | undefined];

/** Replaces the missing value of a change with `none`, so that the other one is not read as the new value. */
function completeValues(id: RuleId, before: string | undefined, after: string | undefined): Values {
  return id.endsWith("-changed") && (before === undefined) !== (after === undefined)
    ? [before ?? "none", after ?? "none"]
    : [before, after];
}

const guessRules: readonly RuleId[] = [
  "operation-renamed",
  "member-renamed",
  "member-moved",
  "route-renamed",
  "argument-renamed",
];

function formatValue(id: RuleId, subject: string, [before, after]: Values): string {
  if (before !== undefined && after !== undefined) {
    if (after === subject && isNameRule(id)) {
      return ` (was ${shortenText(before)})`;
    }
    const difference = findFirstDifference(before, after);
    return before === after ? "" : ` (${shortenText(before, difference)} → ${shortenText(after, difference)})`;
  }
  const value = before ?? after;
  return value === undefined || (isPresenceRule(id) && isNameOf(subject, value)) ? "" : ` (${shortenText(value)})`;
}

/** Whether a rule is about another name of the subject, and not about one of its values. */
function isNameRule(id: RuleId): boolean {
  return /-renamed$|-name-changed$/.test(id) || nameRules.includes(id);
}

const nameRules: readonly RuleId[] = [
  "name-in-code-changed",
  "namespace-changed",
  "operation-name-exchanged",
  "route-pattern-changed",
  "route-version-changed",
];

/** Whether a rule is about an item that only one version has. The value of its differences is the name of the item. */
function isPresenceRule(id: RuleId): boolean {
  return !/^(?:default|enum|fixed|format|pattern|union|derived)-/.test(id);
}

/** Whether the subject contains the name of the item: as its last or first word, or after the last dot. */
function isNameOf(subject: string, name: string): boolean {
  return subject === name || [".", " "].some((mark) => subject.endsWith(mark + name)) || subject.startsWith(`${name} `);
}

const maxLength = 120;

/** Shortens a long text. If it differs from another text, the result contains the position of the first difference. */
function shortenText(text: string, difference = 0): string {
  const start = text.length > maxLength && difference > maxLength / 2 ? difference - maxLength / 2 : 0;
  const end = start + maxLength;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${text.length > end ? "…" : ""}`;
}

function findFirstDifference(left: string, right: string): number {
  let index = 0;
  while (index < left.length && left[index] === right[index]) {
    index += 1;
  }
  return index;
}
