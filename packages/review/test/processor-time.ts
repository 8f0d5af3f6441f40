import { existsSync, readFileSync } from 'node:fs';

/**
 * Processor time in milliseconds that `work` takes on this thread: neither what else the machine does meanwhile counts, nor the
 * collector’s own threads, which have much to do in a process where many files of tests ran before.
 */
export function processorTime(work: () => unknown): number {
  const before = onProcessor();
  work();
  return onProcessor() - before;
}

/** Linux alone tells it of a thread; elsewhere it is the whole process’s. */
const ofThread = '/proc/thread-self/schedstat';
const onProcessor: () => number = existsSync(ofThread) ? onThread : () => process.cpuUsage().user / 1000;

function onThread(): number {
  // The kernel adds up what a thread ran when it stops running.
  Atomics.wait(nothing, 0, 0, 0.05);
  return Number(readFileSync(ofThread, 'utf8').split(' ')[0]) / 1e6;
}
const nothing = new Int32Array(new SharedArrayBuffer(4));
