import { Random } from "@bothends/dynamic/random";

/** A part of the product to run with random inputs. */
export interface Target {
  readonly name: string;
  /** Whether its programs are installed. */
  readonly isAvailable?: () => boolean;
  /** The number of inputs to judge together, for targets that start a program. Default 1. */
  readonly batch?: number;
  make(random: Random): string;
  /** Returns for each input the problem with the product's behavior; undefined if there is none. */
  judge(inputs: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** Known differences, each with an input that demonstrates it. If an input no longer does, that is also a finding. */
  readonly known?: readonly KnownDifference[];
}

export interface KnownDifference {
  readonly reason: string;
  readonly example: string;
  applies(input: string): boolean;
}

export interface Finding {
  readonly target: string;
  /** Absent if a known difference no longer occurs. */
  readonly caseNumber?: number;
  readonly input: string;
  readonly problem: string;
}

export interface FuzzResult {
  readonly cases: number;
  readonly known: number;
  readonly findings: readonly Finding[];
}

export interface FuzzSettings {
  readonly seed: number;
  /** The first case to run. A case's number and the seed determine its input. */
  readonly from?: number;
  readonly cases: number;
  readonly milliseconds: number;
  /** Stops the target after this many findings. Default 10. */
  readonly maxFindings?: number;
}

/** Runs cases of one target until the number of cases, the time or the findings reach their limit. */
export async function fuzz(target: Target, settings: FuzzSettings): Promise<FuzzResult> {
  const { seed, from = 0, cases, milliseconds, maxFindings = 10 } = settings;
  const end = performance.now() + milliseconds;
  const findings: Finding[] = [...(await goneDifferences(target))];
  let known = 0;
  let done = 0;
  while (done < cases && findings.length < maxFindings && (done === 0 || performance.now() < end)) {
    const count = Math.min(target.batch ?? 1, cases - done);
    const first = from + done;
    const inputs = Array.from({ length: count }, (_, index) => target.make(randomOf(seed, first + index)));
    const problems = await target.judge(inputs);
    for (const [index, input] of inputs.entries()) {
      const problem = problems[index];
      if (problem === undefined) {
        continue;
      }
      if (target.known?.some((difference) => difference.applies(input)) === true) {
        known += 1;
      } else {
        findings.push({ target: target.name, caseNumber: first + index, input, problem });
      }
    }
    done += count;
  }
  return { cases: done, known, findings };
}

function randomOf(seed: number, caseNumber: number): Random {
  return new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(caseNumber + 1, 0x85ebca6b));
}

async function goneDifferences({ name, known = [], judge }: Target): Promise<readonly Finding[]> {
  const problems = await judge(known.map(({ example }) => example));
  return known.flatMap(({ reason, example }, index): readonly Finding[] =>
    problems[index] === undefined
      ? [{ target: name, input: example, problem: `The known difference is gone; remove it: ${reason}` }]
      : [],
  );
}

/** Starts measuring processor time. The returned function describes a measurement above `limit` milliseconds. */
export function processorTimeLimit(limit: number, subject: string): () => string | undefined {
  const begin = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begin);
    const milliseconds = (user + system) / 1000;
    return milliseconds > limit ? `${subject} took ${milliseconds} ms of processor time.` : undefined;
  };
}
