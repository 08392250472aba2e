/** The processor time that this process has used, in milliseconds. Other processes on the machine do not count. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The processor time that `work` takes, in milliseconds. */
export function processorTimeOf(work: () => void): number {
  const start = processorTime();
  work();
  return processorTime() - start;
}
