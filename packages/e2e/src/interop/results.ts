import type { Outcome } from "./outcome.js";

/** The outcomes as a table: a line for what one peer calls over one protocol, and a line for each call that is wrong. */
export function formatOutcomes(outcomes: readonly Outcome[]): string {
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes.filter(({ cannot }) => cannot === undefined)) {
    const key = `${outcome.peer}\n${outcome.over}`;
    groups.set(key, [...(groups.get(key) ?? []), outcome]);
  }
  const rows = [...groups.values()].map((group) => {
    const failed = group.filter(({ wrong }) => wrong !== undefined).length;
    const milliseconds = group.reduce((sum, outcome) => sum + outcome.milliseconds, 0);
    const { peer = "", over = "" } = group[0] ?? {};
    return [peer, over, `${group.length - failed}`, `${failed}`, milliseconds.toFixed(0)];
  });
  const head = ["peer", "over", "passed", "failed", "ms"];
  const widths = head.map((cell, index) => Math.max(cell.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => (index > 1 ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
      .join("  ");
  const wrong = outcomes.flatMap(({ peer, over, call, wrong }) =>
    wrong === undefined ? [] : [`failed: ${peer}, ${over}, ${call}: ${wrong}`],
  );
  return [line(head), ...rows.map(line), ...notCalled(outcomes), ...wrong].join("\n");
}

function notCalled(outcomes: readonly Outcome[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { peer, over, cannot } of outcomes) {
    if (cannot === undefined) continue;
    const key = `not called: ${peer}, ${over}: ${cannot}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `${key} (${count})`);
}
