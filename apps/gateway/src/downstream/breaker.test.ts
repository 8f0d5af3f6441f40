import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Breaker } from './breaker.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1000 }));
afterEach(() => void vi.useRealTimers());

/** A breaker over a service whose next answers the test decides. */
function breaker() {
  const probes: { resolve: (value: unknown) => void; reject: (why: Error) => void }[] = [];
  const one = new Breaker(() => new Promise((resolve, reject) => probes.push({ resolve, reject })));
  const late = (calls: number) => {
    for (let n = 0; n < calls; n++) one.late(Date.now());
  };
  return { one, probes, late };
}

test('four late calls are the tools’ own matter; an answer between them starts the count anew', async () => {
  const { one, probes, late } = breaker();
  late(4);
  expect(await one.admits()).toBe(true);
  one.answered();
  vi.advanceTimersByTime(1);
  late(4);
  expect(await one.admits()).toBe(true);
  expect(probes).toHaveLength(0);
});

test('after five the service is asked: calls wait for its answer, and go when it lives', async () => {
  const { one, probes, late } = breaker();
  late(5);
  const waiting = one.admits();
  probes[0]?.resolve(null);
  expect(await waiting).toBe(true);
  expect(probes).toHaveLength(1);
});

test('a service that gives no answer gets no calls, and is asked again every two seconds', async () => {
  const { one, probes, late } = breaker();
  late(5);
  const waiting = one.admits();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await waiting).toBe(false);
  probes[0]?.reject(new Error('late'));
  await vi.advanceTimersByTimeAsync(1999);
  expect(await one.admits()).toBe(false);
  expect(probes).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  const probing = one.admits();
  probes[1]?.resolve(null);
  expect(await probing).toBe(true);
});

test('calls that began before the last answer do not count', async () => {
  const { one, late } = breaker();
  late(5);
  one.answered();
  late(300);
  expect(await one.admits()).toBe(true);
});
