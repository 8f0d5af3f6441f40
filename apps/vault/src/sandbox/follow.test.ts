import { ok } from '@countersign/protocol/result';
import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import type { EnclaveClient } from '@countersign/service/enclave-client';
import { createLogger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { expect, test } from 'vitest';
import { followSessions } from './follow.ts';

const at = '2026-11-25T12:00:00.000Z';
const reviewed: SessionEvent = {
  type: 'operation.reviewed',
  at,
  operation_id: 'o-1',
  review: { verdict: 'allow', rules: [], duration_ms: 1 },
};
const paused: SessionEvent = { type: 'session.state', at, status: 'paused', current_url: null };

/** What is kept of events that the enclave tells one by one; operations are gathered until `gathered` is called. */
function follow(told: readonly SessionEvent[]) {
  const [left, kept, heard] = [[...told], [] as string[], [] as string[]];
  let [gathered, wake] = [() => {}, () => {}];
  const asked = new Promise<void>((resolve) => (wake = resolve));
  let cursor = 1;
  const answer = async (after: number) => {
    const event = after === 0 ? undefined : left.shift();
    // All that was told before has been heard, and its states kept.
    if (after !== 0 && event === undefined) {
      wake();
      await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
    }
    if (event !== undefined) cursor += 1;
    return ok({
      reply: { cursor, missed: false, events: event === undefined ? [] : [{ sessionId: 's-1', event }] },
      body: Buffer.alloc(0),
    });
  };
  const stopping = new AbortController();
  const query = async ({ name }: { name: string }) => {
    if (name !== 'session.live') kept.push(name);
    return { rows: [] };
  };
  const events = followSessions({
    pool: { query } as unknown as Pool,
    enclave: {
      whenConnected: async () => {},
      call: ((_: string, { after }: { after: number }) => answer(after)) as unknown as EnclaveClient['call'],
    },
    sessions: { refresh: async () => null } as never,
    answered: { has: () => false },
    now: () => new Date(at),
    log: createLogger('vault', 'silent'),
    gather: () => new Promise<void>((resolve) => (gathered = resolve)),
  });
  events.listen('s-1', ({ type }) => heard.push(type));
  const stop = () => {
    stopping.abort();
    gathered();
    return events.stop();
  };
  return { kept, heard, asked, gather: () => gathered(), stop };
}

test('the state of a session is kept at once, whatever operations are gathered meanwhile, and told in its turn [vault.sandbox.session.events-kept]', async () => {
  const { kept, heard, asked, gather, stop } = follow([reviewed, paused]);
  await asked;
  expect(kept).toEqual(['session.update']);
  expect(heard).toEqual([]);
  gather();
  await expect.poll(() => heard).toEqual(['operation.reviewed', 'session.state']);
  expect(kept).toHaveLength(2);
  await stop();
});

test('a state alone waits for nothing', async () => {
  const { kept, heard, asked, stop } = follow([paused]);
  await asked;
  await expect.poll(() => heard).toEqual(['session.state']);
  expect(kept).toEqual(['session.update']);
  await stop();
});
