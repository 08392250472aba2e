import { Random } from "@bothends/dynamic/random";

/** A part of the product that is run with random inputs. */
export interface Target {
  readonly name: string;
  /** Whether the programs that the target runs are installed. */
  readonly isAvailable?: () => boolean;
  /** The number of inputs to judge together, for targets that start a program. Default: 1. */
  readonly batchSize?: number;
  make(random: Random): string;
  /** Returns, for each input, the problem that occurred; undefined if there is none. */
  judge(inputs: readonly string[]): Promise<readonly (string | undefined)[]>;
  /**
   * The accepted differences, each with an example input. If a difference no longer occurs for its example, that is
   * also a finding.
   */
  readonly knownDifferences?: readonly KnownDifference[];
}

/** A difference between two programs that is accepted, and the inputs to which it applies. */
export interface KnownDifference {
  readonly reason: string;
  readonly example: string;
  applies(input: string): boolean;
}

/** An input for which a target found a problem. */
export interface Finding {
  readonly target: string;
  /** The number of the case. Absent if the finding is that a known difference no longer occurs. */
  readonly caseNumber?: number;
  readonly input: string;
  readonly problem: string;
}

/** The number of cases that ran, of known differences among them, and the findings. */
export interface FuzzResult {
  readonly cases: number;
  readonly knownCount: number;
  readonly findings: readonly Finding[];
}

/** The limits of a run, and the seed of its inputs. */
export interface FuzzSettings {
  readonly seed: number;
  /** The first case to run. The number of a case and the seed determine its input. */
  readonly firstCase?: number;
  readonly cases: number;
  readonly milliseconds: number;
  /** The number of findings after which the target stops. Default: 10. */
  readonly maxFindings?: number;
}

/** Runs cases of one target until the number of cases, the time or the number of findings reaches its limit. */
export async function fuzz(target: Target, settings: FuzzSettings): Promise<FuzzResult> {
  const { seed, firstCase = 0, cases, milliseconds, maxFindings = 10 } = settings;
  const end = performance.now() + milliseconds;
  const findings: Finding[] = [...(await findObsoleteDifferences(target))];
  let knownCount = 0;
  let finishedCases = 0;
  while (finishedCases < cases && findings.length < maxFindings && (finishedCases === 0 || performance.now() < end)) {
    const count = Math.min(target.batchSize ?? 1, cases - finishedCases);
    const firstOfBatch = firstCase + finishedCases;
    const inputs = Array.from({ length: count }, (_, index) => target.make(createRandom(seed, firstOfBatch + index)));
    const problems = await target.judge(inputs);
    for (const [index, input] of inputs.entries()) {
      const problem = problems[index];
      if (problem === undefined) {
        continue;
      }
      if (target.knownDifferences?.some((difference) => difference.applies(input)) === true) {
        knownCount += 1;
      } else {
        findings.push({ target: target.name, caseNumber: firstOfBatch + index, input, problem });
      }
    }
    finishedCases += count;
  }
  return { cases: finishedCases, knownCount, findings };
}

function createRandom(seed: number, caseNumber: number): Random {
  return new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(caseNumber + 1, 0x85ebca6b));
}

async function findObsoleteDifferences({
  name,
  knownDifferences: differences = [],
  judge,
}: Target): Promise<readonly Finding[]> {
  const problems = await judge(differences.map(({ example }) => example));
  return differences.flatMap(({ reason, example }, index): readonly Finding[] =>
    problems[index] === undefined
      ? [
          {
            target: name,
            input: example,
            problem: `This known difference no longer occurs. Remove it from the list: ${reason}`,
          },
        ]
      : [],
  );
}

/**
 * Starts measuring processor time. The returned function describes the problem if the processor time exceeds `limit`
 * milliseconds.
 */
export function createProcessorTimeLimit(limit: number, subject: string): () => string | undefined {
  const usageBefore = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(usageBefore);
    const milliseconds = (user + system) / 1000;
    return milliseconds > limit ? `${subject} took ${milliseconds} ms of processor time.` : undefined;
  };
}
