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
  /** Rejects with a sentence when it does not start. */
  readonly start: () => Promise<Running>;
};

const patienceMs = 20_000;

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

async function connectAndTry(connect: () => Promise<Caller>): Promise<Caller> {
  const caller = await connect();
  try {
    await callOnce(caller, 0);
    return caller;
  } catch (error) {
    await caller.close();
    throw error;
  }
}

/** The call that everybody is measured with: one tool, four arguments. */
export function callOnce(caller: Caller, n: number): Promise<void> {
  const city = `city-${n}-`;
  return caller.call({ city, unit: 'celsius', days: 3, detail: true }, city);
}
