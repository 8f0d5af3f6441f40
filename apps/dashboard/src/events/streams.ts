import type { Every } from '@countersign/service/every';
import { sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { SessionCaller } from '../callers.ts';
import { EventStream, type ReadRecord } from './event-stream.ts';
import type { Notice } from './notice.ts';

type Streams = {
  /** A stream for this caller; null when they have as many as they may. */
  readonly open: (caller: SessionCaller) => ReadableStream<Uint8Array> | null;
  /** Passes a notice on to those whom it concerns; when some were lost, all browsers are sent away. */
  readonly hear: (notice: Notice) => void;
  /**
   * Returns whether every notice is heard. If not, browsers are sent away: they come again and read
   * everything anew.
   */
  readonly hearing: (all: boolean) => void;
  /** Ends every stream, and every one that is opened from now on. */
  readonly end: () => void;
};

type Parts = {
  readonly read: ReadRecord;
  /** Returns which of these sessions are still valid. */
  readonly liveAmong: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly every: Every;
  readonly log: Logger;
};

const maxOfOnePerson = 8;

/** Returns whether two callers are one person: people of the same account have separate limits. */
const isSamePerson = (one: SessionCaller, other: SessionCaller): boolean =>
  one.account.id === other.account.id && one.person.id === other.person.id;

const beatEveryMs = 15_000;

/** The streams of this process. Each ends with its session: at once where that is told, otherwise at the next beat. */
export function createStreams({ read, liveAmong, every, log }: Parts): Streams {
  const all = new Set<EventStream>();
  let hearing = false;
  let ended = false;

  const readOrEnd =
    (stream: () => EventStream): ReadRecord =>
    (subject, caller) =>
      read(subject, caller).catch((error: unknown) => {
        log.warn({ why: sayWhy(error) }, 'an event could not be read: its stream ends');
        stream().end();
        return null;
      });

  async function beat(): Promise<void> {
    const live = await liveAmong([...all].map(({ caller }) => caller.sessionId));
    for (const stream of all) {
      if (live.has(stream.caller.sessionId)) stream.beat();
      else stream.end();
    }
  }

  const endAll = (): void => {
    for (const stream of all) stream.end();
  };
  const stopBeating = every(beatEveryMs, () => {
    if (all.size > 0)
      beat().catch((error: unknown) => log.warn({ why: sayWhy(error) }, 'no beat of the event streams'));
  });

  return {
    open(caller) {
      const theirs = [...all].filter((stream) => isSamePerson(stream.caller, caller));
      if (theirs.length >= maxOfOnePerson) return null;
      const stream: EventStream = new EventStream(
        caller,
        readOrEnd(() => stream),
        () => all.delete(stream),
      );
      all.add(stream);
      if (!hearing || ended) stream.end();
      return stream.body;
    },

    hear({ kind, id, to }) {
      if (kind === 'process' || kind === 'person') return;
      if (kind === 'lost') return endAll();
      for (const stream of all) {
        const { sessionId, account } = stream.caller;
        if (kind === 'session') {
          if (id === sessionId) stream.end();
        } else if (to.includes(account.id) || to.includes(account.walletAddress)) stream.push({ kind, id });
      }
    },

    hearing(now) {
      hearing = now;
      if (!now) endAll();
    },

    end() {
      stopBeating();
      ended = true;
      endAll();
    },
  };
}
