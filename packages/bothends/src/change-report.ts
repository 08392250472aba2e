import type { Contract } from "@bothends/generator";
import type { FileChange, TreePlan } from "@bothends/generator/disk";
import { createTwoFilesPatch } from "diff";

/** A line with the size of a contract: `2 interfaces, 21 operations, 14 types`. */
export function contractSummary({ interfaces }: Contract): string {
  const operations = interfaces.flatMap((each) =>
    each.kind === "rest" ? [each.endpoints.length] : each.services.map((service) => service.operations.length),
  );
  const types = interfaces.map((each) => (each.kind === "rest" ? each.answers : each.types).length);
  return [
    counted(interfaces.length, "interface"),
    counted(sum(operations), "operation"),
    counted(sum(types), "type"),
  ].join(", ");
}

const maxLines = 100;

/** What a summary needs besides the plan. */
export interface SummaryFacts {
  /** The copies of edited files. */
  readonly backups?: readonly string[];
  /** A folder whose files are counted, not listed. */
  readonly folded?: string | undefined;
}

/** Lists the files that change, and counts the files that do not. */
export function planSummary(plan: TreePlan, { backups = [], folded }: SummaryFacts = {}): string {
  const lines = [
    ...changeLines("added    ", plan.added, folded),
    ...changeLines("changed  ", [...plan.changed, ...plan.edited], folded),
    ...changeLines("removed  ", plan.removed, folded),
    ...plan.kept.map((path) => `  kept     ${path} (edited, and no longer generated)`),
    ...backups.map((path) => `  backup   ${path}`),
  ];
  const shown = lines.slice(0, maxLines);
  const hidden = lines.length - shown.length;
  const rest = hidden > 0 ? [`  … and ${counted(hidden, "more file")}`] : [];
  const changes = [
    `${plan.added.length} added`,
    `${plan.changed.length + plan.edited.length} changed`,
    `${plan.removed.length} removed`,
    `${plan.unchanged.length} unchanged`,
  ];
  return [...shown, ...rest, `${changes.join(", ")}.`].map((line) => `${line}\n`).join("");
}

function changeLines(verb: string, changes: readonly FileChange[], folded: string | undefined): readonly string[] {
  const isInside = ({ path }: FileChange) => folded !== undefined && path.startsWith(`${folded}/`);
  const inside = changes.filter(isInside);
  const fold = inside.length === 0 ? [] : [`  ${verb}${folded} (${counted(inside.length, "file")})`];
  return [...changes.filter((change) => !isInside(change)).map(({ path }) => `  ${verb}${path}`), ...fold];
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

// A longer diff helps nobody, and takes quadratic time.
const maxEditLength = 2000;

/** The unified diff of a change. */
export function unifiedDiff({ path, before, after }: FileChange, colour: boolean): string {
  const from = before === undefined ? "/dev/null" : `a/${path}`;
  const to = after === undefined ? "/dev/null" : `b/${path}`;
  const patch = createTwoFilesPatch(from, to, textOf(before), textOf(after), undefined, undefined, {
    context: 3,
    maxEditLength,
  });
  if (patch === undefined) {
    return `--- ${from}\n+++ ${to}\n(more than ${maxEditLength} lines differ)\n`;
  }
  const lines = patch.replace(/^=+\n/, "").split("\n");
  return lines.map((line) => (colour ? coloured(line) : line)).join("\n");
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : new TextDecoder("utf-8").decode(bytes).replaceAll(/\r\n?/g, "\n");
}

function coloured(line: string): string {
  const code = line.startsWith("+") ? "32" : line.startsWith("-") ? "31" : line.startsWith("@@") ? "36" : undefined;
  return code === undefined ? line : `\u001b[${code}m${line}\u001b[0m`;
}
