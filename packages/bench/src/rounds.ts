import type { Group, Sample, Subject } from "./subject.js";

/** A subject's rounds, and what they mean beside the limit's. */
export interface Row {
  readonly name: string;
  readonly cost: Spread;
  /** Of the medians. */
  readonly ratio: number;
  readonly rate: number | undefined;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Measures the subjects of a group in turns, so that a busy neighbour disturbs all of them alike. */
export async function measureGroup({ subjects, exact }: Group, rounds: number): Promise<readonly Row[]> {
  const samples = new Map<Subject, Sample[]>(subjects.map((subject) => [subject, []]));
  const warming = exact === true ? 0 : 1;
  for (let round = 0; round < (exact === true ? 1 : rounds) + warming; round += 1) {
    for (const [subject, taken] of samples) {
      const sample = await subject.measure();
      if (round >= warming) taken.push(sample);
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
