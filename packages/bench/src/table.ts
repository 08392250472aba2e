import type { Group, Row } from "./measure.js";

/** A column of a table: its heading, and the text of a row's cell. */
export interface Column {
  readonly heading: string;
  cell(row: Row): string;
}

/** The columns of a group's table after the name: only measured values. */
export function columnsOf({ unit, exact }: Group, rows: readonly Row[]): readonly Column[] {
  const measured = (column: Column, quantity: "rate" | "p99" | "delay" | "memory"): readonly Column[] =>
    rows.some((row) => row[quantity] !== undefined) ? [column] : [];
  return [
    { heading: unit, cell: ({ cost }) => figure(cost.median) },
    ...(exact === true
      ? []
      : [{ heading: "min..max", cell: ({ cost }: Row) => `${figure(cost.min)}..${figure(cost.max)}` }]),
    { heading: "x limit", cell: ({ ratio }) => ratio.toFixed(2) },
    ...measured({ heading: "per s", cell: ({ rate }) => figure(rate) }, "rate"),
    ...measured({ heading: "p99 ms", cell: ({ p99 }) => figure(p99) }, "p99"),
    ...measured({ heading: "loop p99 ms", cell: ({ delay }) => figure(delay) }, "delay"),
    ...measured({ heading: "memory MB", cell: ({ memory }) => figure(memory) }, "memory"),
  ];
}

/** A number with a precision appropriate to its spread; empty if it was not measured. */
export function figure(value: number | undefined): string {
  if (value === undefined) {
    return "";
  }
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}

/** The table of one group for a terminal, the baseline first. */
export function printTable(group: Group, rows: readonly Row[]): string {
  const columns = columnsOf(group, rows);
  const cells = [
    [group.title, ...columns.map(({ heading }) => heading)],
    ...rows.map((row) => [`  ${row.name}`, ...columns.map((column) => column.cell(row))]),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index + 1] ?? "").length)) + 2);
  const first = Math.max(...cells.map(([name = ""]) => name.length));
  const lines = cells.map(
    ([name = "", ...rest]) =>
      name.padEnd(first) + rest.map((cell, index) => cell.padStart(widths[index] ?? 0)).join(""),
  );
  return `${lines.join("\n")}\n`;
}
