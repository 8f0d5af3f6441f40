import { setTimeout as sleep } from 'node:timers/promises';
import { endedText, type OwnedChild } from '@countersign/service/owned-process';
import type { Caller } from './caller.ts';

/** A way to reach the service: its process and a client that is connected through it. */
export type Running = {
  readonly pid: number;
  readonly caller: Caller;
  readonly stop: () => Promise<unknown>;
};

/** One row of the table. */
export type Contestant = {
  readonly name: string;
  /** How it reaches the service. A pipe to a process of its own costs it less than HTTP. */
  readonly reaches: 'http' | 'stdio';
  /** Rejects with a sentence when it does not start. */
  readonly start: () => Promise<Running>;
};

const patienceMs = 20_000;
const attemptMs = 4000;

/** Connects as soon as the process lets us and one call has come back; gives up when it ends or takes too long. */
export async function untilServing(child: OwnedChild, connect: () => Promise<Caller>): Promise<Running> {
  const deadline = Date.now() + patienceMs;
  const ended = child.exited.then((how) => {
    throw new Error(`it ${endedText(how)}`);
  });
  ended.catch(() => {});
  for (;;) {
    try {
      const caller = await Promise.race([connectAndTry(connect), ended]);
      return { pid: child.pid, caller, stop: child.stop };
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await Promise.race([sleep(100), ended]);
  }
}

/** A proxy that is still starting may swallow a call, so each attempt has its own deadline. */
async function connectAndTry(connect: () => Promise<Caller>): Promise<Caller> {
  const caller = await inTime(connect());
  try {
    await inTime(callOnce(caller, 0));
    return caller;
  } catch (error) {
    await caller.close();
    throw error;
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = new AbortController();
  const tooLate = sleep(attemptMs, null, { signal: late.signal }).then(() => {
    throw new Error(`no answer within ${attemptMs / 1000} s`);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    late.abort();
    tooLate.catch(() => {});
  }
}

/** The call that everybody is measured with: one tool, four arguments. */
export function callOnce(caller: Caller, n: number): Promise<void> {
  const city = `city-${n}-`;
  return caller.call({ city, unit: 'celsius', days: 3, detail: true }, city);
}
