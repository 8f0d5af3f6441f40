import { expect, test } from 'vitest';
import { fairTurns } from './turns.ts';

test('a tenant that asks for much waits for it alone: each other one’s turn comes before its second [control-plane.connector.schema-turns]', async () => {
  const takeTurn = fairTurns(10);
  const served: string[] = [];
  const ask = (tenantId: string, name: string) => takeTurn(tenantId, async () => void served.push(name));
  await Promise.all([
    ...[1, 2, 3].map((n) => ask('a', `a${n}`)),
    ask('b', 'b1'),
    ask('c', 'c1'),
    ask('b', 'b2'),
  ]);
  expect(served).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('beyond so many that wait a tenant is refused, others are not, and later it is not either', async () => {
  const takeTurn = fairTurns(2);
  let end = () => {};
  const slow = takeTurn('a', () => new Promise<void>((resolve) => (end = resolve)));
  const waiting = [1, 2].map(async (n) => takeTurn('a', async () => n));
  expect(takeTurn('a', async () => 3)).toBe(null);
  const other = takeTurn('b', async () => 4);
  end();
  expect(await Promise.all([slow, ...waiting, other])).toEqual([undefined, 1, 2, 4]);
  expect(await takeTurn('a', async () => 5)).toBe(5);
});

test('who would wait for another of its tenant can say so, and is refused while one is served or waits [control-plane.execution.schema-worker]', async () => {
  const takeTurn = fairTurns(2);
  let end = () => {};
  const served = takeTurn('a', () => new Promise<void>((resolve) => (end = resolve)));
  expect(takeTurn('a', async () => 1, 'alone')).toBe(null);
  const other = takeTurn('b', async () => 2, 'alone');
  expect(takeTurn('b', async () => 3, 'alone')).toBe(null);
  end();
  expect(await Promise.all([served, other])).toEqual([undefined, 2]);
  expect(await takeTurn('a', async () => 4, 'alone')).toBe(4);
});

test('one that throws before it is a promise fails alone too', async () => {
  const takeTurn = fairTurns(2);
  const failed = takeTurn('a', () => {
    throw new Error('at once');
  });
  const then = takeTurn('a', async () => 1);
  await expect(failed).rejects.toThrow('at once');
  expect(await then).toBe(1);
});

test('one that fails fails alone', async () => {
  const takeTurn = fairTurns(2);
  const failed = takeTurn('a', () => Promise.reject(new Error('no')));
  const then = takeTurn('a', async () => 1);
  await expect(failed).rejects.toThrow('no');
  expect(await then).toBe(1);
});
