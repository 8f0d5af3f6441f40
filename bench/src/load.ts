import { setTimeout as sleep } from 'node:timers/promises';

/** What came of one round of load. Times are milliseconds. */
export type Round = {
  readonly calls: number;
  readonly failed: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  /** Why the first failed call failed. */
  readonly failure: string | null;
};

/** What went wrong in some rounds of one row. */
export type Failures = Pick<Round, 'failed' | 'failure'>;

export const failuresOf = (rounds: readonly Failures[]): Failures => ({
  failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
  failure: rounds.find(({ failure }) => failure !== null)?.failure ?? null,
});

/** A sentence for each row with calls that failed: what it says of speed is of another thing than was to be measured. */
export const brokenRows = (rows: readonly (Failures & { readonly name: string })[]): readonly string[] =>
  rows
    .filter(({ failed }) => failed > 0)
    .map(({ name, failed, failure }) => `${name}: ${failed} calls failed, the first because: ${failure}`);

const patienceMs = 10_000;

/** `callers` of them call one after another for `seconds`; a call in flight at the end is still counted, one that is never answered fails. */
export async function runLoad(
  call: (n: number) => Promise<void>,
  callers: number,
  seconds: number,
): Promise<Round> {
  const times: number[] = [];
  const failures: string[] = [];
  let n = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  const worker = async (): Promise<void> => {
    for (let now = performance.now(); now < end; ) {
      const before = now;
      try {
        await call(n++);
        now = performance.now();
        times.push(now - before);
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
        now = performance.now();
      }
    }
  };
  const late = new AbortController();
  const abandoned = sleep(seconds * 1000 + patienceMs, 'late', { signal: late.signal }).catch(() => null);
  const done = Promise.all(Array.from({ length: callers }, worker));
  if ((await Promise.race([done, abandoned])) === 'late') failures.push('a call was never answered');
  late.abort();
  const elapsed = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  return {
    calls: times.length,
    failed: failures.length,
    seconds: elapsed,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failure: failures[0] ?? null,
  };
}

const warmUpCalls = 6000;
const warmUpSeconds = 12;

/** Calls until the code is compiled: a fixed number of calls, because a slow one would else be measured cold. */
export async function warmUp(call: (n: number) => Promise<void>): Promise<void> {
  const end = performance.now() + warmUpSeconds * 1000;
  for (let calls = 0; calls < warmUpCalls && performance.now() < end; )
    calls += (await runLoad(call, 16, 0.25)).calls;
}

/** NaN when there is nothing to take it of. */
export const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;

/** The middle value, which one disturbed round does not move. */
export const median = (values: readonly number[]): number =>
  quantile(
    values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b),
    0.5,
  );
