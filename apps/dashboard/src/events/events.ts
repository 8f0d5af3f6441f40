import type { Every } from '@countersign/service/every';
import { hear } from '@countersign/service/hear';
import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { liveSessions } from '../auth/store.ts';
import type { SessionCaller } from '../callers.ts';
import { channel, createTeller, readNotice, type Tell } from './notice.ts';
import { recordReader } from './record.ts';
import { createStreams } from './streams.ts';

/** Notices out to every process, and in from every process to the browsers that look on here. */
export type Events = Service & {
  readonly tell: Tell;
  /** Ends every stream at once: none would end by itself. */
  readonly endStreams: () => void;
  readonly open: (caller: SessionCaller) => ReadableStream<Uint8Array> | null;
};

type Parts = {
  readonly pool: Pool;
  readonly now: () => Date;
  readonly every: Every;
  readonly log: Logger;
};

/** Begins to listen. `stop` waits for the notices that are on their way out. */
export function startEvents({ pool, now, every, log }: Parts): Events {
  const teller = createTeller(pool, log);
  const streams = createStreams({
    read: recordReader(pool, now),
    liveAmong: (ids) => liveSessions(pool, ids, now()),
    every,
    log,
  });
  const onMessage = (message: string) => {
    const notice = readNotice(message);
    if (notice !== null) streams.hear(notice);
  };
  const listener = hear(pool, channel, { onMessage, onChange: streams.hearing }, log);
  return {
    tell: teller.tell,
    open: streams.open,
    endStreams: streams.end,
    async stop() {
      streams.end();
      await Promise.all([listener.stop(), teller.stop()]);
    },
  };
}
