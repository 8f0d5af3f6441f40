import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';
import { repeat } from './repeat.ts';

const log = createLogger('test', 'silent');

test('work goes on after a failure, one turn at a time, until it is stopped', async () => {
  let turns = 0;
  let running = 0;
  let most = 0;
  await new Promise<void>((enough) => {
    const service = repeat(log, 'count', 1, async () => {
      most = Math.max(most, ++running);
      await new Promise((done) => setImmediate(done));
      running -= 1;
      if (++turns === 3) enough(service.stop());
      if (turns < 3) throw new Error('broken');
    });
  });
  const then = turns;
  // Others with the same pause have had their turns meanwhile.
  await new Promise<void>((enough) => {
    let others = 0;
    const other = repeat(log, 'other', 1, async () => {
      if (++others === 3) enough(other.stop());
    });
  });
  expect([turns, most]).toEqual([then, 1]);
});

test('stop waits for the turn that is under way', async () => {
  let ended = false;
  const service = repeat(log, 'slow', 60_000, async () => {
    await new Promise((done) => setImmediate(done));
    ended = true;
  });
  await service.stop();
  expect(ended).toBe(true);
});
