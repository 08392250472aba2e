import type { Contract } from "@bothends/generator";
import type { FileChange, TreePlan } from "@bothends/generator/disk";
import { counted } from "./outcome.js";

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
  /** A path as it is printed, relative to the working folder. */
  readonly shown: (path: string) => string;
}

/** Lists the files that change. */
export function planSummary(plan: TreePlan, facts: SummaryFacts): string {
  const { backups = [], shown: pathOf } = facts;
  const lines = [
    ...changeLines("added    ", plan.added, facts),
    ...changeLines("changed  ", [...plan.changed, ...plan.edited], facts),
    ...changeLines("removed  ", plan.removed, facts),
    ...plan.kept.map((path) => `  kept     ${pathOf(path)} (edited, and no longer generated)`),
    ...backups.map((path) => `  backup   ${pathOf(path)}`),
  ];
  const shown = lines.slice(0, maxLines);
  const hidden = lines.length - shown.length;
  const rest = hidden > 0 ? [`  … and ${counted(hidden, "more file")}`] : [];
  return [...shown, ...rest].map((line) => `${line}\n`).join("");
}

/** `2 added, 0 changed, 0 removed, 30 unchanged`. */
export function changeCounts({ added, changed, edited, removed, unchanged }: TreePlan): string {
  return [
    `${added.length} added`,
    `${changed.length + edited.length} changed`,
    `${removed.length} removed`,
    `${unchanged.length} unchanged`,
  ].join(", ");
}

function changeLines(verb: string, changes: readonly FileChange[], { folded, shown }: SummaryFacts): readonly string[] {
  const isInside = ({ path }: FileChange) => folded !== undefined && path.startsWith(`${folded}/`);
  const inside = changes.filter(isInside);
  const fold = inside.length === 0 ? [] : [`  ${verb}${shown(folded ?? "")} (${counted(inside.length, "file")})`];
  return [...changes.filter((change) => !isInside(change)).map(({ path }) => `  ${verb}${shown(path)}`), ...fold];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

// A longer diff helps nobody, and takes quadratic time.
