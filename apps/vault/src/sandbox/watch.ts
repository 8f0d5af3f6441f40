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
  readonly sessions: Pick<SessionEnclave, 'ask'>;
  readonly sessionReached: SessionReached;
  readonly events: Pick<SessionEvents, 'listen'>;
  readonly now: () => Date;
};

/** Most that watch one session in this process. */
const mostWatchers = 32;

/** Tells a session's events over a WebSocket: first how it is, then what happens, until it is over. */
export function watchHandler({
  sessions,
  sessionReached,
  events,
  now,
}: Parts): VaultHandlers['watchSession'] {
  const watchers = new Map<string, number>();
  const frames = createFrames(sessions, now);

  function watch(channel: Channel, session: Session, caller: Caller, withFrames: boolean): void {
    const { id } = session;
    watchers.set(id, (watchers.get(id) ?? 0) + 1);
    // What happens before the first answer is told after it.
    let early: SessionEvent[] | null = [];
    const unlisten = events.listen(id, (event) =>
      early === null ? tell(channel, event) : early.push(event),
    );
    void channel.ended.then(() => {
      unlisten();
      const left = (watchers.get(id) ?? 1) - 1;
      if (left === 0) watchers.delete(id);
      else watchers.set(id, left);
    });
    sessionReached(caller, { id }).then(
      (state) => {
        tell(channel, stateEvent(toldOf(state ?? session), now()));
        for (const event of early ?? []) tell(channel, event);
        early = null;
      },
      () => channel.close(1011, 'system error'),
    );
    if (withFrames) frames.show(channel, session, caller);
  }

  return async ({ params, query, caller }) => {
    const session = await sessionReached(caller, params);
    if (session === null) return noSuchSession;
    if ((watchers.get(session.id) ?? 0) >= mostWatchers)
      return refusal('rate_limited', `at most ${mostWatchers} may watch a session`);
    return { ok: true, open: (channel) => watch(channel, session, caller, query.frames === '1') };
  };
}

function tell(channel: Channel, event: SessionEvent): void {
  channel.send(JSON.stringify(event));
  if (event.type === 'session.state' && event.closed_reason !== undefined)
    channel.close(1000, 'the session is over');
}

const toldOf = ({ status, currentUrl, closedReason }: Session): Told => ({
  status,
  currentUrl,
  ...(closedReason !== null && { closedReason }),
});
