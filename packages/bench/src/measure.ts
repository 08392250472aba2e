/** A program that is measured and compared with the other programs in its group. */
export interface Subject {
  readonly name: string;
  /** Measures one round. */
  measure(): Promise<Sample> | Sample;
}

/** The measurements of one round. Every subject has a cost; other members depend on the group. */
export interface Sample {
  /** The processor time or the size, in the unit of the group. */
  readonly cost: number;
  /** The number of operations per second of elapsed time. */
  readonly rate?: number;
  /** The 99th percentile of the time until an answer is complete, in milliseconds. */
  readonly p99?: number;
  /** The number of requests that failed. */
  readonly failed?: number;
  /** The 99th percentile of the event loop's delay, in milliseconds. */
  readonly delay?: number;
  /** Resident memory at the end of the round, or the peak of a process that ends, in megabytes. */
  readonly memory?: number;
}

/** Subjects that do the same work. The first is the baseline: a program that does as little of it as possible. */
export interface Group {
  /** The name of the group in goals. */
  readonly id: string;
  readonly title: string;
  /** The unit of the cost. */
  readonly unit: string;
  readonly subjects: readonly Subject[];
  /** A description of the baseline for readers of the report. */
  readonly baseline: string;
  /** Whether the measurement is exact, so that one round is enough. */
  readonly isExact?: boolean;
  /**
   * The number of short measurements of each subject in a round, for a group whose subjects differ little. These
   * measurements are compared within their turn: each cost is divided by the median of its turn, and multiplied by the
   * median of these medians. This removes the load of other programs, which affects a whole turn.
   */
  readonly turns?: number;
  close?(): Promise<void> | void;
}

/** The measurements of a subject over all rounds. */
export interface Row {
  readonly name: string;
  readonly cost: Spread;
  /** The ratio of the median cost to the baseline's median cost. */
  readonly ratio: number;
  /** The median of the operations per second. */
  readonly rate?: number;
  /** The median of the samples' `p99`. */
  readonly p99?: number;
  /** The number of requests that failed in all rounds. Absent if none did. */
  readonly failed?: number;
  /** The median of the samples' `delay`. */
  readonly delay?: number;
  /** The highest memory of all rounds. */
  readonly memory?: number;
}

/** A group, and a row of measurements for each subject. */
export interface Measured {
  readonly group: Group;
  readonly rows: readonly Row[];
}

/** The median, the minimum and the maximum over all rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The most rounds that {@link measureGroup} adds. */
const maxAddedRounds = 5;

/**
 * Measures the subjects of a group in turn in each round, so that other load on the machine affects all of them
 * equally. Adds rounds while `isDisturbed` returns true for the rows.
 */
export async function measureGroup(
  group: Group,
  rounds: number,
  isDisturbed: (rows: readonly Row[]) => boolean = () => false,
): Promise<readonly Row[]> {
  if (group.isExact === true) {
    return createRows(group, [await measureTurn(group)]);
  }
  // The first turn warms the subjects up.
  await measureTurn(group);
  const measuredTurns: (readonly Sample[])[] = [];
  let rows: readonly Row[] = [];
  for (let round = 1; round <= rounds + maxAddedRounds; round += 1) {
    if (round > rounds && !isDisturbed(rows)) {
      break;
    }
    for (let turn = 0; turn < (group.turns ?? 1); turn += 1) {
      measuredTurns.push(await measureTurn(group));
    }
    rows = createRows(group, measuredTurns);
  }
  return rows;
}

async function measureTurn({ subjects }: Group): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const subject of subjects) {
    samples.push(await subject.measure());
  }
  return samples;
}

function createRows({ subjects, turns }: Group, measuredTurns: readonly (readonly Sample[])[]): readonly Row[] {
  const comparedTurns = turns === undefined ? measuredTurns : removeSharedLoad(measuredTurns);
  const samplesBySubject = subjects.map((_, index) => comparedTurns.flatMap((samples) => samples[index] ?? []));
  const baselineCost = spread(samplesBySubject[0] ?? [], "cost")?.median ?? Number.NaN;
  return subjects.map(({ name }, index) => createRow(name, samplesBySubject[index] ?? [], baselineCost));
}

/** Divides each cost by the median of its turn, and multiplies it by the median of these medians. */
function removeSharedLoad(turns: readonly (readonly Sample[])[]): readonly (readonly Sample[])[] {
  const medians = turns.map((samples) => spread(samples, "cost")?.median ?? 1);
  const median = medians.toSorted((a, b) => a - b)[Math.floor(medians.length / 2)] ?? 1;
  return turns.map((samples, turn) =>
    samples.map((sample) => ({ ...sample, cost: (sample.cost * median) / (medians[turn] ?? median) })),
  );
}

function createRow(name: string, samples: readonly Sample[], baselineCost: number): Row {
  const cost = spread(samples, "cost") ?? { median: Number.NaN, min: Number.NaN, max: Number.NaN };
  const rate = spread(samples, "rate")?.median;
  const p99 = spread(samples, "p99")?.median;
  const delay = spread(samples, "delay")?.median;
  const memory = spread(samples, "memory")?.max;
  const failedCount = samples.reduce((sum, sample) => sum + (sample.failed ?? 0), 0);
  return {
    name,
    cost,
    ratio: cost.median / baselineCost,
    ...(rate !== undefined && { rate }),
    ...(p99 !== undefined && { p99 }),
    ...(failedCount > 0 && { failed: failedCount }),
    ...(delay !== undefined && { delay }),
    ...(memory !== undefined && { memory }),
  };
}

function spread(samples: readonly Sample[], quantity: keyof Sample): Spread | undefined {
  const sortedValues = samples.flatMap((sample) => sample[quantity] ?? []).toSorted((a, b) => a - b);
  const [min] = sortedValues;
  const median = sortedValues[Math.floor(sortedValues.length / 2)];
  const max = sortedValues.at(-1);
  return min === undefined || median === undefined || max === undefined ? undefined : { median, min, max };
}

/** Returns the processor time of this process, in microseconds. */
export function getProcessorMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Measures the processor time of one call of a function, as the mean of `count` calls. */
export function measureCost(count: number, run: () => unknown): Sample {
  const timeBefore = getProcessorMicroseconds();
  for (let index = 0; index < count; index += 1) {
    run();
  }
  return { cost: (getProcessorMicroseconds() - timeBefore) / count };
}
