import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const path = join(import.meta.dirname, "..", "..", "corpus-baseline.json");

/** Numbers that must not fall, by the name of a corpus's folder. */
export type Baseline = Readonly<Record<string, Readonly<Record<string, number>>>>;

export function readBaseline(): Baseline {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

export function writeBaseline(baseline: Baseline): void {
  const sorted = Object.fromEntries(Object.entries(baseline).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** What fell. */
export function compareBaseline(
  before: Readonly<Record<string, number>>,
  now: Readonly<Record<string, number>>,
): readonly string[] {
  return Object.entries(before).flatMap(([name, least]) => {
    const value = now[name];
    return value !== undefined && value < least ? [`${name} fell from ${least} to ${value}`] : [];
  });
}
