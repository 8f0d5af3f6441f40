import { expect, test } from 'vitest';
import { Canceller, toAbortSignal } from './cancellation.ts';

test('every listener that is still there is told, once', () => {
  const told: string[] = [];
  const canceller = new Canceller();
  const removed = () => told.push('removed');
  canceller.addEventListener('abort', () => told.push('first'));
  canceller.addEventListener('abort', removed);
  canceller.addEventListener('abort', () => {
    told.push('second');
    canceller.abort();
  });
  canceller.removeEventListener('abort', removed);
  expect(canceller.aborted).toBe(false);
  canceller.abort();
  expect(canceller.aborted).toBe(true);
  expect(told).toEqual(['first', 'second']);
});

test('whoever needs a real signal gets one that aborts with it, or has aborted', () => {
  const canceller = new Canceller();
  const signal = toAbortSignal(canceller);
  expect(signal.aborted).toBe(false);
  canceller.abort();
  expect(signal.aborted).toBe(true);
  expect(toAbortSignal(canceller).aborted).toBe(true);
  expect(toAbortSignal(signal)).toBe(signal);
});
