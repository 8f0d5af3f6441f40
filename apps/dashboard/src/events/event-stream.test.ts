import { expect, test } from 'vitest';
import type { SessionCaller } from '../callers.ts';
import { EventStream, type Subject } from './event-stream.ts';

const caller = { sessionId: 'ses_1' } as SessionCaller;

/** A stream on which nothing has been read so far, and what it asked the database for. */
function opened(read: (subject: Subject) => object | null = ({ id }) => ({ id })) {
  const asked: Subject['id'][] = [];
  let closed = 0;
  const stream = new EventStream(
    caller,
    async (subject) => {
      asked.push(subject.id);
      return read(subject);
    },
    () => (closed += 1),
  );
  const reader = stream.body.getReader();
  const next = async (): Promise<string | null> => {
    const { value } = await reader.read();
    return value === undefined ? null : new TextDecoder().decode(value);
  };
  return { stream, asked, next, closed: () => closed, cancel: () => reader.cancel() };
}

const mandate = (id: string): Subject => ({ kind: 'mandate', id });
const opening = 'retry: 2000\n: open\n\n';

test('what changed a thousand times while nobody read is read once, when it is sent [dashboard.events.slow-reader]', async () => {
  const { stream, asked, next } = opened();
  for (let i = 0; i < 5_000; i++) stream.push(mandate('mdt_1'));
  stream.push({ kind: 'alert', id: 7 });
  expect(asked).toEqual([]);
  expect(await next()).toBe(opening);
  expect(await next()).toBe('event: mandate\ndata: {"id":"mdt_1"}\n\n');
  expect(await next()).toBe('event: alert\ndata: {"id":7}\n\n');
  expect(asked).toEqual(['mdt_1', 7]);
});

test('who is too far behind is sent away [dashboard.events.slow-reader]', async () => {
  const { stream, asked, next, closed } = opened();
  for (let i = 0; i <= 1_000; i++) stream.push(mandate(`mdt_${i}`));
  expect(await next()).toBe(opening);
  expect(await next()).toBeNull();
  expect({ asked, closed: closed() }).toEqual({ asked: [], closed: 1 });
});

test('what is gone when it is read is not told', async () => {
  const { stream, next } = opened(({ id }) => (id === 'gone' ? null : { id }));
  stream.push(mandate('gone'));
  stream.push(mandate('here'));
  await next();
  expect(await next()).toContain('here');
});

test('beats are one comment however many were missed; who misses five is dead [dashboard.events.keep-alive]', async () => {
  const { stream, next } = opened();
  await next();
  for (let i = 0; i < 4; i++) stream.beat();
  expect(await next()).toBe(': still here\n\n');
  for (let i = 0; i < 5; i++) stream.beat();
  expect(await next()).toBeNull();
});

test('a reader that waits is woken by an event, a beat and the end', async () => {
  const { stream, next } = opened();
  await next();
  const first = next();
  stream.push(mandate('mdt_1'));
  expect(await first).toContain('mdt_1');
  const second = next();
  stream.beat();
  expect(await second).toBe(': still here\n\n');
  const third = next();
  stream.end();
  expect(await third).toBeNull();
});

test('a reader that leaves closes the stream once', async () => {
  const { stream, next, closed, cancel } = opened();
  await next();
  await cancel();
  stream.push(mandate('mdt_1'));
  stream.end();
  expect(closed()).toBe(1);
});
