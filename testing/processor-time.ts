/**
 * The processor time that this process has used, in milliseconds of the machine for which the bounds of tests were
 * chosen. On a machine that takes 1.3 times as long for the same work, a millisecond counts as 0.77. Other processes on
 * the machine do not count.
 */
export function processorTime(): number {
  return measuredTime() / slowness;
}

/** The processor time that `work` takes, in milliseconds of the machine for which the bounds were chosen. */
export function processorTimeOf(work: () => void): number {
  const start = processorTime();
  work();
  return processorTime() - start;
}

function measuredTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The milliseconds that the reference work takes on the machine for which the bounds were chosen. */
const referenceTime = 9.8;

/** Reads and writes JSON, which is compiled code of Node: its time depends only on the machine. */
function doReferenceWork(text: string): void {
  for (let count = 0; count < 8; count += 1) {
    JSON.stringify(JSON.parse(text));
  }
}

/**
 * How many times as long this machine takes for the reference work: at least 1, so that a faster machine does not make
 * the bounds stricter, and at most 1.5. The best of several measurements counts, because other load on the machine only
 * increases the time.
 */
const slowness = measureSlowness();

function measureSlowness(): number {
  const items = Array.from({ length: 2_000 }, (_, index) => ({
    id: index,
    name: `item ${index}`,
    price: index / 3,
    tags: ["a", "b"],
    note: null,
  }));
  const text = JSON.stringify(items);
  const times = Array.from({ length: 9 }, () => {
    const start = measuredTime();
    doReferenceWork(text);
    return measuredTime() - start;
  });
  return Math.min(1.5, Math.max(1, Math.min(...times) / referenceTime));
}
