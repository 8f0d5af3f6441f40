import { expect, test } from 'vitest';
import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import { FakeClock } from '../../../test/fake-clock.ts';
import { EventLog } from './events.ts';

const at = '2026-11-26T10:00:00.000Z';
const started = (operation_id: string): SessionEvent => ({
  type: 'operation.started',
  at,
  operation_id,
  operation_type: 'click',
});
const closed: SessionEvent = { type: 'session.state', at, status: 'closed', current_url: null };

/** A log, and whoever waits for what it tells next; `heard` is empty as long as that one has no answer. */
function waiting(clock: FakeClock) {
  const log = new EventLog(clock);
  const heard: string[] = [];
  const poll = async (after: number) => {
    const { cursor, events } = await log.after(after, 30_000);
    heard.push(events.map(({ event }) => event.type).join());
    return cursor;
  };
  return { log, heard, poll };
}

const turn = () => new Promise(setImmediate);

test('what operations tell comes within 50 ms, and together', async () => {
  const clock = new FakeClock();
  const { log, heard, poll } = waiting(clock);
  const { cursor } = await log.after(0, 0);
  const first = poll(cursor);
  log.add('s', started('a'));
  clock.pass(49);
  await turn();
  expect(heard).toEqual([]);
  log.add('s', started('b'));
  clock.pass(1);
  const next = poll(await first);
  expect(heard).toEqual(['operation.started,operation.started']);
  log.add('s', started('c'));
  clock.pass(50);
  await next;
  expect(heard.at(-1)).toBe('operation.started');
});

test('whoever asks while more may come hears it with that, and not a second time', async () => {
  const clock = new FakeClock();
  const { log, heard, poll } = waiting(clock);
  const { cursor } = await log.after(0, 0);
  log.add('s', started('a'));
  const first = poll(cursor);
  await turn();
  expect(heard).toEqual([]);
  clock.pass(50);
  await first;
  clock.pass(50);
  expect(heard).toEqual(['operation.started']);
});

test('a state of a session is told at once, with all that was told before it', async () => {
  const { log, heard, poll } = waiting(new FakeClock());
  const { cursor } = await log.after(0, 0);
  const first = poll(cursor);
  log.add('s', started('a'));
  log.add('s', closed);
  await first;
  expect(heard).toEqual(['operation.started,session.state']);
});
