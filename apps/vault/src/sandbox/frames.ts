import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import type { Channel } from '@countersign/service/channel';
import type { Caller } from '../callers.ts';
import type { SessionEnclave } from './enclave-session.ts';
import type { Session } from './session-store.ts';

/** The live view of sessions: one picture at a time for all that watch, and none while nobody does. */
export type Frames = { readonly show: (channel: Channel, session: Session, caller: Caller) => void };

/** Between two pictures of one session, in milliseconds. */
const betweenMs = 1_000;

export function createFrames(sessions: Pick<SessionEnclave, 'ask'>, now: () => Date): Frames {
  const watching = new Map<string, Set<Channel>>();

  async function takeOne(session: Session, caller: Caller): Promise<string | null> {
    const taken = await sessions.ask('session.screenshot', session, caller, {
      fullPage: false,
      isFrame: true,
    });
    if (!taken.ok) return null;
    const { width, height } = taken.value.reply;
    const image = taken.value.body.toString('base64');
    const frame: SessionEvent = { type: 'frame', at: now().toISOString(), image, width, height };
    return JSON.stringify(frame);
  }

  async function run(session: Session, caller: Caller, channels: ReadonlySet<Channel>): Promise<void> {
    while (channels.size > 0) {
      // One that cannot be had, because the session is paused or the enclave away, is had later, or never.
      const frame = await takeOne(session, caller).catch(() => null);
      if (frame !== null) for (const channel of channels) channel.sendIfIdle(frame);
      await sleep(betweenMs, null, { ref: false });
    }
    watching.delete(session.id);
  }

  return {
    show(channel, session, caller) {
      const channels = watching.get(session.id) ?? new Set();
      channels.add(channel);
      channel.onEnd(() => channels.delete(channel));
      if (watching.has(session.id)) return;
      watching.set(session.id, channels);
      void run(session, caller, channels);
    },
  };
}
