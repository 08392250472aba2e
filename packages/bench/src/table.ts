import type { Group, Row } from "./measure.js";

/** A column of a table: its heading, and the text of a row's cell. */
export interface Column {
  readonly heading: string;
  cell(row: Row): string;
}

/** Returns the columns of a group's table after the name. Values that were not measured have no column. */
export function chooseColumns({ unit, isExact }: Group, rows: readonly Row[]): readonly Column[] {
  const measuredColumn = (
    column: Column,
    quantity: "rate" | "p99" | "failed" | "delay" | "memory",
  ): readonly Column[] => (rows.some((row) => row[quantity] !== undefined) ? [column] : []);
  return [
    { heading: unit, cell: ({ cost }) => formatNumber(cost.median) },
    ...(isExact === true
      ? []
      : [{ heading: "min..max", cell: ({ cost }: Row) => `${formatNumber(cost.min)}..${formatNumber(cost.max)}` }]),
    { heading: "x limit", cell: ({ ratio }) => ratio.toFixed(2) },
    ...measuredColumn({ heading: "per s", cell: ({ rate }) => formatNumber(rate) }, "rate"),
    ...measuredColumn({ heading: "p99 ms", cell: ({ p99 }) => formatNumber(p99) }, "p99"),
    ...measuredColumn({ heading: "failed", cell: ({ failed = 0 }) => String(failed) }, "failed"),
    ...measuredColumn({ heading: "loop p99 ms", cell: ({ delay }) => formatNumber(delay) }, "delay"),
    ...measuredColumn({ heading: "memory MB", cell: ({ memory }) => formatNumber(memory) }, "memory"),
  ];
}

/** Formats a number: below 100 with one decimal, otherwise as a whole number. Empty if the value was not measured. */
export function formatNumber(value: number | undefined): string {
  if (value === undefined) {
    return "";
  }
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}

/** Formats the table of one group for a terminal. The baseline is the first row. */
export function printTable(group: Group, rows: readonly Row[]): string {
  const columns = chooseColumns(group, rows);
  const cells = [
    [group.title, ...columns.map(({ heading }) => heading)],
    ...rows.map((row) => [`  ${row.name}`, ...columns.map((column) => column.cell(row))]),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index + 1] ?? "").length)) + 2);
  const nameWidth = Math.max(...cells.map(([name = ""]) => name.length));
  const lines = cells.map(
    ([name = "", ...rest]) =>
      name.padEnd(nameWidth) + rest.map((cell, index) => cell.padStart(widths[index] ?? 0)).join(""),
  );
  return `${lines.join("\n")}\n`;
}
