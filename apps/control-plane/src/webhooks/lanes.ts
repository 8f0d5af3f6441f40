import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';

/** Work in lanes: one that takes long holds up its own lane, and no other. */
export type Lanes = Service & {
  /** Something may be there to do in a lane. One that nobody was told of is found after half a second. */
  readonly look: (lane: string) => void;
};

export type LaneWork<Item> = {
  /** Concurrency of one lane. */
  readonly abreast: number;
  /** Lanes, but those, in which something waits. */
  readonly waiting: (but: readonly string[]) => Promise<readonly string[]>;
  /** The next of a lane, which is then this process's alone for a while; null: there is none. */
  readonly take: (lane: string) => Promise<Item | null>;
  readonly work: (item: Item) => Promise<void>;
};

/** `told`: somebody said that there is something, and nobody has looked since. */
type Lane = { atWork: number; told: boolean };

const everyMs = 500;
/** After this time another process may take over the work. */
const patienceMs = 2_000;

/** Works until it is stopped; what is at work then may take 2 s more. */
export function startLanes<Item>(what: LaneWork<Item>, log: Logger): Lanes {
  const { abreast, waiting } = what;
  const lanes = new Map<string, Lane>();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const { signal } = stopping;

  function look(id: string): void {
    if (signal.aborted) return;
    const lane = lanes.get(id) ?? { atWork: 0, told: true };
    lanes.set(id, lane);
    lane.told = true;
    if (lane.atWork < abreast) track(workOn(id, lane));
  }

  function track(done: Promise<void>): void {
    running.add(done);
    void done.finally(() => running.delete(done));
  }

  async function workOn(id: string, lane: Lane): Promise<void> {
    lane.atWork += 1;
    try {
      while (lane.told && !signal.aborted) {
        lane.told = false;
        // Where there is one there may be more: somebody else looks while this one is done.
        await emptyLane(what, id, signal, () => look(id));
      }
    } catch (error) {
      log.warn({ why: sayWhy(error) }, 'a lane of webhooks stopped for a moment');
    } finally {
      lane.atWork -= 1;
      if (lane.atWork === 0) lanes.delete(id);
    }
  }

  const full = () => [...lanes].filter(([, { atWork }]) => atWork >= abreast).map(([id]) => id);
  const lookAround = async () => {
    for (const id of await waiting(full())) look(id);
  };
  track(repeat(lookAround, signal, log));
  return {
    look,
    stop: async () => {
      stopping.abort();
      await within(patienceMs, Promise.all(running));
    },
  };
}

/** Does one after the other of a lane until nothing is left. */
async function emptyLane<Item>(
  { take, work }: LaneWork<Item>,
  id: string,
  signal: AbortSignal,
  onFound: () => void,
): Promise<void> {
  while (!signal.aborted) {
    const item = await take(id);
    if (item === null) return;
    onFound();
    await work(item);
  }
}

async function repeat(look: () => Promise<void>, signal: AbortSignal, log: Logger): Promise<void> {
  while (!signal.aborted) {
    await look().catch((error: unknown) => {
      log.warn({ why: sayWhy(error) }, 'cannot look for webhooks that wait: will try again');
    });
    await sleep(everyMs, null, { signal, ref: false }).catch(() => null);
  }
}

async function within(ms: number, done: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([done, sleep(ms, null, { signal: over.signal }).catch(() => null)]);
  over.abort();
}
