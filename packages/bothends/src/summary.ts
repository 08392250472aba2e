import type { Contract } from "@bothends/generator";
import type { FileChange, TreePlan } from "@bothends/generator/disk";

/** One line on what there is: `2 interfaces, 21 operations, 14 types`. */
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

const most = 100;

/** What is said beside the plan: copies that were kept, and the folder whose files nobody wants to read of one by one. */
export interface SummaryFacts {
  readonly backups?: readonly string[];
  readonly folded?: string | undefined;
}

/** What changes, file by file, and a count of what does not. */
export function planSummary(plan: TreePlan, { backups = [], folded }: SummaryFacts = {}): string {
  const lines = [
    ...changeLines("added    ", plan.added, folded),
    ...changeLines("changed  ", [...plan.changed, ...plan.edited], folded),
    ...changeLines("removed  ", plan.removed, folded),
    ...plan.kept.map((path) => `  kept     ${path} (edited, and generated no more)`),
    ...backups.map((path) => `  backup   ${path}`),
  ];
  const shown = lines.slice(0, most);
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
  const lies = ({ path }: FileChange) => folded !== undefined && path.startsWith(`${folded}/`);
  const inside = changes.filter(lies);
  const fold = inside.length === 0 ? [] : [`  ${verb}${folded} (${counted(inside.length, "file")})`];
  return [...changes.filter((change) => !lies(change)).map(({ path }) => `  ${verb}${path}`), ...fold];
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
