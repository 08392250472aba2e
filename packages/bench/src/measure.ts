/** A program to measure and to compare with the others of its group. */
export interface Subject {
  readonly name: string;
  /** Measures one round. */
  measure(): Promise<Sample> | Sample;
}

/** The measurement of one round. */
export interface Sample {
  /** Microseconds of processor time for one operation, or bytes. */
  readonly cost: number;
  /** Operations per second of wall-clock time, if measured. */
  readonly rate?: number;
}

/** Subjects that do the same work. The first is the limit: a program that does as little as possible. */
export interface Group {
  readonly title: string;
  readonly unit: string;
  readonly subjects: readonly Subject[];
  /** The measurement is exact, so that one round is enough. */
  readonly exact?: boolean;
  close?(): Promise<void> | void;
}

/** The measurements of a subject, and their ratio to the limit. */
export interface Row {
  readonly name: string;
  readonly cost: Spread;
  /** The ratio of the medians. */
  readonly ratio: number;
  readonly rate: number | undefined;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Measures the subjects of a group in turns, so that other load affects all of them equally. */
export async function measureGroup({ subjects, exact }: Group, rounds: number): Promise<readonly Row[]> {
  const samples = new Map<Subject, Sample[]>(subjects.map((subject) => [subject, []]));
  const warming = exact === true ? 0 : 1;
  for (let round = 0; round < (exact === true ? 1 : rounds) + warming; round += 1) {
    for (const [subject, taken] of samples) {
      const sample = await subject.measure();
      if (round >= warming) {
        taken.push(sample);
      }
    }
  }
  const rows = [...samples].map(([{ name }, taken]) => ({
    name,
    cost: spread(taken.map(({ cost }) => cost)),
    rate: taken.every(({ rate }) => rate === undefined) ? undefined : spread(taken.map(({ rate = 0 }) => rate)).median,
  }));
  const limit = rows[0]?.cost.median ?? Number.NaN;
  return rows.map((row) => ({ ...row, ratio: row.cost.median / limit }));
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return { median: at(Math.floor(sorted.length / 2)), min: at(0), max: at(sorted.length - 1) };
}

/** The processor time of this process, in microseconds. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The cost of one operation, measured over `count` of them. */
export function costOf(count: number, run: () => unknown): Sample {
  const before = processorTime();
  for (let index = 0; index < count; index += 1) {
    run();
  }
  return { cost: (processorTime() - before) / count };
}

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
