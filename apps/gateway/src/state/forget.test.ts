import { createLogger } from '@countersign/service/logger';
import { systemTimers } from '@countersign/service/timers';
import { expect, test } from 'vitest';
import { keepForgetting } from './forget.ts';

test('a gateway forgets from its start on, a little at a time, until nothing is left', async () => {
  let left = 1_000;
  const batches: number[] = [];
  const forgetOld = async (limit: number): Promise<number> => {
    const forgotten = Math.min(limit, left);
    left -= forgotten;
    batches.push(forgotten);
    return forgotten;
  };
  const stop = keepForgetting({ forgetOld }, systemTimers, createLogger('test', 'silent'));
  await expect.poll(() => batches.at(-1)).toBe(0);
  await stop();
  expect(left).toBe(0);
  expect(Math.max(...batches)).toBeLessThan(1_000);
});
