import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeMissedGoals, goals, selectBounded } from "../src/goals.js";
import { type Group, type Measured, measureGroup } from "../src/measure.js";
import { drawBars, formatReport } from "../src/report.js";
import { printTable } from "../src/table.js";

function groupOf(costs: Readonly<Record<string, readonly number[]>>): Group {
  return {
    id: "server",
    title: "Server",
    unit: "CPU µs",
    baseline: "A server that answers a constant.",
    subjects: Object.entries(costs).map(([name, [...rounds]]) => ({
      name,
      measure: () => ({ cost: rounds.shift() ?? 0, rate: 1000, p99: 2 }),
    })),
  };
}

async function measured(costs: Readonly<Record<string, readonly number[]>>): Promise<Measured> {
  const group = groupOf(costs);
  return { group, rows: await measureGroup(group, 3) };
}

test("the first round of each subject only warms it up", async () => {
  const { rows } = await measured({ limit: [900, 10, 30, 20] });
  expect(rows[0]?.cost).toEqual({ median: 20, min: 10, max: 30 });
});

test("a row compares its median with that of the baseline", async () => {
  const { rows } = await measured({ limit: [1, 10, 10, 10], product: [1, 20, 25, 30] });
  expect(rows.map(({ ratio }) => ratio)).toEqual([1, 2.5]);
});

test("a group in turns is measured several times in a round, and compared within each turn", async () => {
  const costs = { limit: [1, 10, 20, 40, 10, 20, 40], product: [1, 11, 22, 44, 11, 22, 44] };
  const rows = await measureGroup({ ...groupOf(costs), turns: 3 }, 2);
  expect(rows.map(({ cost }) => cost)).toEqual([
    { median: 20, min: 20, max: 20 },
    { median: 22, min: 22, max: 22 },
  ]);
});

test("a check adds rounds while a bound is missed, because other load makes a round slow", async () => {
  const group = groupOf({ limit: [1, 10, 10, 10], product: [1, 90, 80, 20, 15] });
  const rows = await measureGroup(group, 1, ([, product]) => (product?.cost.min ?? 0) > 20);
  expect(rows[1]?.cost).toEqual({ median: 80, min: 20, max: 90 });
});

test("a check that misses its bound in six rounds ends", async () => {
  const group = groupOf({ limit: [1, 10, 20, 30, 40, 50, 60, 70] });
  const rows = await measureGroup(group, 1, () => true);
  expect(rows[0]?.cost.max).toBe(60);
});

test("a table has a column for each quantity that was measured", async () => {
  const { group, rows } = await measured({ limit: [1, 10, 10, 10], product: [1, 20, 25, 30] });
  expect(printTable(group, rows)).toBe(
    [
      "Server     CPU µs    min..max  x limit  per s  p99 ms",
      "  limit      10.0  10.0..10.0     1.00  1,000     2.0",
      "  product    25.0  20.0..30.0     2.50  1,000     2.0",
      "",
    ].join("\n"),
  );
});

test("the requests that a peer's server failed to answer are counted over all rounds but the first", async () => {
  const group: Group = {
    ...groupOf({}),
    subjects: [
      { name: "limit", measure: () => ({ cost: 10, failed: 0 }) },
      { name: "peer", measure: () => ({ cost: 20, failed: 3 }) },
    ],
  };
  expect(printTable(group, await measureGroup(group, 2))).toBe(
    [
      "Server   CPU µs    min..max  x limit  failed",
      "  limit    10.0  10.0..10.0     1.00       0",
      "  peer     20.0  20.0..20.0     2.00       6",
      "",
    ].join("\n"),
  );
});

test("a goal that is missed is named with its ratio", async () => {
  const slow = await measured({ "body read, constant answer": [1, 10, 10, 10], Bothends: [1, 40, 40, 40] });
  expect(describeMissedGoals([slow], "goal")).toContain(
    "server: the cost of Bothends is 4.00 times that of body read, constant answer; at most 2.2 is the goal.",
  );
  const fast = await measured({ "body read, constant answer": [1, 10, 10, 10], Bothends: [1, 20, 20, 20] });
  expect(describeMissedGoals([fast], "goal")).toEqual([]);
});

test("a goal for what a start adds is compared with the difference, and its bound with the ratio", async () => {
  const start = async (bare: number, server: number) => {
    const group = {
      ...groupOf({ "bare node": Array(4).fill(bare), "SOAP server": Array(4).fill(server) }),
      id: "start",
    };
    return [{ group, rows: await measureGroup(group, 3) }];
  };
  expect(describeMissedGoals(await start(50, 71), "goal")).toEqual([]);
  expect(describeMissedGoals(await start(20, 41), "goal")).toEqual([]);
  expect(describeMissedGoals(await start(50, 73), "goal")).toEqual([
    "start: the cost of SOAP server is 23.00 more than that of bare node; at most 22 is the goal.",
  ]);
  expect(describeMissedGoals(await start(50, 106), "bound")).toEqual([
    "start: the cost of SOAP server is 2.12 times that of bare node; at most 2.1 is the bound.",
  ]);
});

test("a bound is missed if both the medians and the lowest costs exceed it", async () => {
  const baseline = { "body read, constant answer": [1, 10, 10, 10] };
  const slower = await measured({ ...baseline, Bothends: [1, 40, 60, 60] });
  expect(describeMissedGoals([slower], "bound")).toEqual([
    "server: the cost of Bothends is 6.00 times that of body read, constant answer; at most 3.6 is the bound.",
  ]);
});

test("a bound is met if other load slows down most rounds of one subject", async () => {
  const disturbed = { "body read, constant answer": [1, 10, 10, 10], Bothends: [1, 20, 60, 60] };
  expect(describeMissedGoals([await measured(disturbed)], "bound")).toEqual([]);
});

test("a bound is met if one round of the baseline is faster than the others", async () => {
  const disturbed = { "body read, constant answer": [1, 5, 10, 10], Bothends: [1, 20, 20, 20] };
  expect(describeMissedGoals([await measured(disturbed)], "bound")).toEqual([]);
});

test("a goal whose subjects were not measured is not judged", async () => {
  expect(describeMissedGoals([await measured({ "body read, constant answer": [1, 1, 1, 1] })], "bound")).toEqual([]);
});

test("no bound is stricter than its goal", () => {
  const strict = goals.filter(
    ({ goal, bound, isMinimum, isDifference }) =>
      bound !== undefined && isDifference !== true && (isMinimum === true ? bound > goal : bound < goal),
  );
  expect(strict).toEqual([]);
});

test("the report has a section, a picture and a table for each group", async () => {
  const report = await measured({ limit: [1, 10, 10, 10], "Bothends <a>": [1, 20, 25, 30] });
  const text = formatReport([report], { rounds: 3, loadGeneratorName: "wrk", date: new Date("2026-11-22") });
  expect(text).toContain("Measured on 2026-11-22");
  expect(text).toContain("## Server\n\nFirst row: A server that answers a constant.");
  expect(text).toContain("![Server](performance/server.svg)");
  expect(text).toContain("| Bothends <a> | 25.0 | 20.0..30.0 | 2.50 |");
  expect(drawBars(report.group, report.rows)).toContain("Bothends &lt;a>");
});

const page = join(import.meta.dirname, "..", "..", "..", "docs", "performance.md");

test("every picture of docs/performance.md exists, and every goal has a section", () => {
  const text = readFileSync(page, "utf8");
  const pictures = [...text.matchAll(/\]\((performance\/[^)]+)\)/g)].map(([, path = ""]) => path);
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures.filter((path) => !existsSync(join(page, "..", path)))).toEqual([]);
  const missing = goals.filter(({ group }) => !text.includes(`performance/${group}.svg`));
  expect(missing.filter(({ group }) => !group.startsWith("generate-"))).toEqual([]);
});

test("only the baseline and what has a bound are measured for --check", () => {
  const costs = { "body read, constant answer": [], "calibration, + 20 µs": [], Bothends: [], "node-soap": [] };
  expect(selectBounded(groupOf(costs)).subjects.map(({ name }) => name)).toEqual([
    "body read, constant answer",
    "Bothends",
    "node-soap",
  ]);
});

test("nothing is measured for --check in a group without bounds", () => {
  expect(selectBounded({ ...groupOf({ "constant answer": [], Bothends: [] }), id: "server-100000" }).subjects).toEqual(
    [],
  );
});

test("a check takes at most three turns in a round", () => {
  const group = { ...groupOf({ "not observed": [] }), id: "observe" };
  expect(selectBounded({ ...group, turns: 10 }).turns).toBe(3);
  expect(selectBounded({ ...group, turns: 2 }).turns).toBe(2);
  expect(selectBounded(group).turns).toBeUndefined();
});
