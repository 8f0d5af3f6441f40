/** Processor time in milliseconds that `work` takes: whatever else the machine does meanwhile. */
export function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}
