import type { Sample } from "./subject.js";

/** Microseconds of processor time that this process has had. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The cost of one of `count` operations that run one after the other. */
export function costOf(count: number, run: () => unknown): Sample {
  const before = processorTime();
  for (let index = 0; index < count; index += 1) run();
  return { cost: (processorTime() - before) / count };
}
