import { type RuleId, ruleOf } from "./rules/index.js";

/** A sentence about a change: `Vehicle.Colour: An optional member was added.` */
export function messageOf(
  id: RuleId,
  facts: { readonly subject: string; readonly before: string | undefined; readonly after: string | undefined },
): string {
  const { subject, before, after } = facts;
  if (before !== undefined && after !== undefined && guesses.includes(id)) {
    // The subject of a member begins with its type: `Vehicle.Colour`.
    const type = id === "member-renamed" ? subject.slice(0, subject.lastIndexOf(".") + 1) : "";
    return `${type}${before} removed, ${after} added: renamed?`;
  }
  const sentence = ruleOf(id).title.replace(/\.$/, "");
  return `${subject}: ${sentence}${valueText(subject, before, after)}.`;
}

const guesses: readonly RuleId[] = ["operation-renamed", "member-renamed", "route-renamed"];

function valueText(subject: string, before: string | undefined, after: string | undefined): string {
  if (before !== undefined && after !== undefined) {
    return before === after ? "" : ` (${shortened(before)} → ${shortened(after)})`;
  }
  const value = before ?? after;
  return value === undefined || subject.endsWith(value) || subject.startsWith(`${value} `)
    ? ""
    : ` (${shortened(value)})`;
}

const maxLength = 120;

function shortened(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
