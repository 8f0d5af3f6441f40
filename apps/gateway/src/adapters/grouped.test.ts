import { systemTimers } from '@countersign/service/timers';
import { silentSpan } from '@countersign/service/trace';
import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { address, merchant, owner } from '../../test/samples.ts';
import { grouped, patienceMs } from './grouped.ts';

const span = silentSpan('0123456789abcdef0123456789abcdef');
const wallet = address(owner);

/** A look-up that a test answers; each answer is the number of the question. */
function byHand() {
  const open: (() => void)[] = [];
  let asked = 0;
  const look = grouped(async () => {
    const number = ++asked;
    await new Promise<void>((resolve) => open.push(resolve));
    return number;
  }, systemTimers);
  return {
    look: (of = wallet) => look(of, span),
    asked: () => asked,
    answer: async () => {
      open.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

test('who comes while a wallet is looked up shares the next look-up, not that one [gateway.checks.fresh-answers]', async () => {
  const { look, asked, answer } = byHand();
  const first = look();
  const others = [look(), look(), look()];
  expect(asked()).toBe(1);
  await answer();
  expect(await first).toBe(1);
  expect(asked()).toBe(2);
  const late = look();
  await answer();
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
  await answer();
  expect(await late).toBe(3);
});

test('a look-up that hangs holds nobody up for longer than a quarter of a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { look, asked } = byHand();
  void look();
  void look();
  await vi.advanceTimersByTimeAsync(patienceMs - 1);
  expect(asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked()).toBe(2);
});

test('one wallet never waits for another', async () => {
  const { look, asked } = byHand();
  void look();
  void look(address(merchant));
  expect(asked()).toBe(2);
});

test('whatever the order, nobody gets an answer to a question that was asked before theirs, and all get one [gateway.checks.fresh-answers]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (steps) => {
      const { look, asked, answer } = byHand();
      const answers: Promise<number>[] = [];
      for (const asks of steps) {
        const before = asked();
        if (asks) answers.push(look().then((number) => number - before));
        else await answer();
      }
      for (let n = 0; n < 3; n++) await answer();
      for (const newer of await Promise.all(answers)) expect(newer).toBeGreaterThan(0);
    }),
  );
});
