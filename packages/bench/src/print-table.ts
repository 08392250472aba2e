import type { Row } from "./rounds.js";
import type { Group } from "./subject.js";

const widths = [40, 12, 24, 10, 10] as const;

/** The rows of one group, the limit first. */
export function printTable({ title, unit, exact }: Group, rows: readonly Row[]): string {
  const rated = rows.some(({ rate }) => rate !== undefined);
  const measured = exact === true ? [] : ["min..max", "x limit", ...(rated ? ["per s"] : [])];
  const lines = rows.map(({ name, cost, ratio, rate }) => {
    const facts = [`${shown(cost.min)}..${shown(cost.max)}`, ratio.toFixed(2), shown(rate ?? 0)];
    return line([`  ${name}`, shown(cost.median), ...facts.slice(0, measured.length)]);
  });
  return [line([`${title}, ${unit}`, exact === true ? "" : "median", ...measured]), ...lines, ""].join("\n");
}

function line([name = "", ...cells]: readonly string[]): string {
  return name.padEnd(widths[0]) + cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0)).join("");
}

function shown(value: number): string {
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}
