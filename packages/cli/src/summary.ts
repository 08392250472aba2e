import type { Contract } from "@bothends/generator";
import type { TreePlan } from "@bothends/generator/disk";

/** One line on what there is: `2 interfaces, 21 operations, 14 types`. */
export function contractSummary({ interfaces }: Contract): string {
  const operations = interfaces.flatMap((each) =>
    each.kind === "rest" ? [each.endpoints.length] : each.services.map((service) => service.operations.length),
  );
  const types = interfaces.map((each) => (each.kind === "rest" ? 0 : each.types.length));
  return [
    counted(interfaces.length, "interface"),
    counted(sum(operations), "operation"),
    counted(sum(types), "type"),
  ].join(", ");
}

const most = 100;

/** What changes, file by file, and a count of what does not. */
export function planSummary(plan: TreePlan, backups: readonly string[] = []): string {
  const lines = [
    ...plan.added.map(({ path }) => `  added    ${path}`),
    ...[...plan.changed, ...plan.edited].map(({ path }) => `  changed  ${path}`),
    ...plan.removed.map(({ path }) => `  removed  ${path}`),
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

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
