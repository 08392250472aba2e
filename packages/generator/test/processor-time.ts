/** Processor time of this process in milliseconds: what others do on the machine does not count. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
