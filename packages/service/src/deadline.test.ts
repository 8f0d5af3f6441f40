import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deadlineIn } from './deadline.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('it aborts when its time is over, and says that this was why', () => {
  const deadline = deadlineIn(100);
  vi.advanceTimersByTime(99);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(deadline.signal.aborted).toBe(true);
  expect(deadline.expired()).toBe(true);
});

test('it aborts with the other signal, at once if that has aborted already', () => {
  const other = new AbortController();
  const deadline = deadlineIn(100, other.signal);
  other.abort();
  expect(deadline.signal.aborted).toBe(true);
  expect(deadline.expired()).toBe(false);
  expect(deadlineIn(100, other.signal).signal.aborted).toBe(true);
});

test('ended in time, it never aborts', () => {
  const other = new AbortController();
  const deadline = deadlineIn(100, other.signal);
  deadline.end();
  vi.advanceTimersByTime(1000);
  other.abort();
  expect(deadline.signal.aborted).toBe(false);
});
