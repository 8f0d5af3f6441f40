import { background } from '@countersign/service/background';
import type { Every } from '@countersign/service/every';
import { hear } from '@countersign/service/hear';
import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { liveSessions } from '../auth/store.ts';
import type { SessionCaller } from '../callers.ts';
import type { RandomBytes } from '../ids.ts';
import { createCompanions, namePrefix } from './companions.ts';
import { channel, createTeller, lost, type Notice, readNotice, sendNotices, type Tell } from './notice.ts';
import type { Delays } from '../recovery/show.ts';
import { recordReader } from './record.ts';
import { createStreams } from './streams.ts';

/** Notices out to every process, and in from every process to the browsers that look on here. */
export type Events = Service & {
  readonly tell: Tell;
  /** Ends every stream at once: none would end by itself. */
  readonly endStreams: () => void;
  readonly open: (caller: SessionCaller) => ReadableStream<Uint8Array> | null;
  /** Every notice is told to this, too; `lost` whenever some may have been missed. */
  readonly listen: (heard: (notice: Notice) => void) => void;
};

type Parts = {
  readonly pool: Pool;
  readonly recovery: Delays;
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly every: Every;
  readonly log: Logger;
};

const lookEveryMs = 3_000;

/** Begins to listen, and tells the others so. `stop` waits for the notices that are on their way out. */
export async function startEvents({ pool, recovery, now, random, every, log }: Parts): Promise<Events> {
  const name = `${namePrefix} ${random(8).toString('hex')}`;
  const teller = createTeller(pool, log);
  const companions = createCompanions(pool);
  const streams = createStreams({
    read: recordReader(pool, recovery, now),
    liveAmong: (ids) => liveSessions(pool, ids, now()),
    every,
    log,
  });
  const listeners = new Set<(notice: Notice) => void>();
  const pass = (notice: Notice) => {
    streams.hear(notice);
    for (const listener of listeners) listener(notice);
  };
  const onMessage = (message: string) => {
    const notice = readNotice(message);
    if (notice?.kind === 'process') companions.met(String(notice.id));
    if (notice !== null) pass(notice);
  };
  const onChange = (all: boolean) => {
    streams.hearing(all);
    if (!all) for (const listener of listeners) listener(lost);
  };
  const listener = hear(pool, channel, { name, onMessage, onChange }, log);
  // Nothing of ours can be missed before the others know us.
  await Promise.all([companions.lostOne(), sendNotices(pool, [{ kind: 'process', id: name, to: [] }])]);
  const stopLooking = every(lookEveryMs, () => {
    const look = async () => (await companions.lostOne()) && pass(lost);
    background(log, 'look for other processes', look());
  });
  return {
    tell: teller.tell,
    open: streams.open,
    endStreams: streams.end,
    listen: (heard) => void listeners.add(heard),
    async stop() {
      stopLooking();
      streams.end();
      await Promise.all([listener.stop(), teller.stop()]);
    },
  };
}
