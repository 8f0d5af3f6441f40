import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import type { Channel } from '@countersign/service/channel';
import type { Caller } from '../callers.ts';
import type { SessionEnclave } from './enclave-session.ts';
import type { Session } from './session-store.ts';

/** The live view of sessions: one picture at a time for all that watch, each of whom is on record, and none while nobody does. */
export type Frames = { readonly show: (channel: Channel, session: Session, caller: Caller) => void };

/** Between two pictures of one session, in milliseconds. */
const betweenMs = 1_000;

export function createFrames(sessions: Pick<SessionEnclave, 'frame'>, now: () => Date): Frames {
  /** Who shows the picture to whom. */
  const watching = new Map<string, Map<Channel, Caller>>();

  async function takeOne(session: Session, callers: readonly Caller[]): Promise<string | null> {
    const taken = await sessions.frame(session, callers);
    if (taken === null) return null;
    const image = taken.body.toString('base64');
    const frame: SessionEvent = { type: 'frame', at: now().toISOString(), image, ...taken.reply };
    return JSON.stringify(frame);
  }

  async function run(session: Session, channels: ReadonlyMap<Channel, Caller>): Promise<void> {
    while (channels.size > 0) {
      // Those who come meanwhile get the next one, when it is on record that they watch.
      const watchers = new Map(channels);
      // One that cannot be had, because the session is paused or the enclave away, is had later, or never.
      const frame = await takeOne(session, [...watchers.values()]).catch(() => null);
      if (frame !== null) for (const channel of watchers.keys()) channel.sendIfIdle(frame);
      await sleep(betweenMs, null, { ref: false });
    }
    watching.delete(session.id);
  }

  return {
    show(channel, session, caller) {
      const channels = watching.get(session.id) ?? new Map<Channel, Caller>();
      channels.set(channel, caller);
      channel.onEnd(() => channels.delete(channel));
      if (watching.has(session.id)) return;
      watching.set(session.id, channels);
      void run(session, channels);
    },
  };
}
