import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import type { Channel } from '@countersign/service/channel';
import type { Caller, VaultHandlers } from '../callers.ts';
import { refusal } from '../refusal.ts';
import { stateEvent } from './compare.ts';
import type { SessionEnclave } from './enclave-session.ts';
import type { SessionEvents } from './follow.ts';
import { createFrames } from './frames.ts';
import { noSuchSession, type SessionReached } from './reached.ts';
import type { Session, Told } from './session-store.ts';

type Parts = {
  readonly sessions: Pick<SessionEnclave, 'frame'>;
  readonly sessionReached: SessionReached;
  readonly events: Pick<SessionEvents, 'listen'>;
  readonly now: () => Date;
};

/** Most that watch one session in this process. */
const maxWatchers = 32;

/** Tells a session's events over a WebSocket: first how it is, then what happens, until it is over. */
export function watchHandler({
  sessions,
  sessionReached,
  events,
  now,
}: Parts): VaultHandlers['watchSession'] {
  const watchers = new Map<string, number>();
  const frames = createFrames(sessions, now);

  /** Counts as one who watches until the channel is closed. */
  function count(channel: Channel, id: string): void {
    watchers.set(id, (watchers.get(id) ?? 0) + 1);
    channel.onEnd(() => {
      const left = (watchers.get(id) ?? 1) - 1;
      if (left === 0) watchers.delete(id);
      else watchers.set(id, left);
    });
  }

  async function watch(channel: Channel, session: Session, caller: Caller): Promise<void> {
    // What happens before it was told how the session is, is told after that.
    let early: SessionEvent[] | null = [];
    const hear = (event: SessionEvent) => (early === null ? tell(channel, event) : early.push(event));
    channel.onEnd(events.listen(session.id, hear));
    const state = await sessionReached(caller, { id: session.id });
    tell(channel, stateEvent(toldOf(state ?? session), now()));
    for (const event of early) tell(channel, event);
    early = null;
  }

  return async ({ params, query, caller }) => {
    const session = await sessionReached(caller, params);
    if (session === null) return noSuchSession;
    if ((watchers.get(session.id) ?? 0) >= maxWatchers)
      return refusal('rate_limited', `at most ${maxWatchers} may watch a session`);
    return {
      ok: true,
      open(channel) {
        count(channel, session.id);
        watch(channel, session, caller).catch(() => channel.close(1011, 'system error'));
        if (query.frames === '1') frames.show(channel, session, caller);
      },
    };
  };
}

function tell(channel: Channel, event: SessionEvent): void {
  channel.send(JSON.stringify(event));
  if (event.type === 'session.state' && event.closed_reason !== undefined)
    channel.close(1000, 'the session is over');
}

const toldOf = ({ status, currentUrl, pausedBy, closedReason }: Session): Told => ({
  status,
  currentUrl,
  ...(pausedBy !== null && { pausedBy }),
  ...(closedReason !== null && { closedReason }),
});
