import { createLogger } from '@countersign/service/logger';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CoreKeeper } from './core-keeper.ts';
import type { CoreProcess, StartedCore } from './core-process.ts';
import { watchAnswers } from './watch-answers.ts';

const log = createLogger('test', 'silent');

/** Cores that live for so many milliseconds each, one after the other; the last does not start, with this code. */
async function kept(lives: readonly number[], code: number) {
  const [attended, left]: [number[], number[]] = [[], []];
  const start = async (restarts: number): Promise<StartedCore> => {
    const life = lives[restarts];
    if (life === undefined) return { failed: code };
    return { core: { ended: Promise.resolve(life) } as CoreProcess };
  };
  const attend = () => {
    const number = attended.length;
    attended.push(number);
    return () => void left.push(number);
  };
  const keeper = await CoreKeeper.start({ start, attend, log });
  return { attended, left, code: 'failed' in keeper ? keeper.failed : await keeper.ended };
}

test('a core that will not start ends its launcher with its code, the first as well as a later one [vault.enclave.halves]', async () => {
  expect(await kept([], 7)).toEqual({ attended: [], left: [], code: 7 });
  expect(await kept([20_000, 20_000], 7)).toEqual({ attended: [0, 1], left: [0, 1], code: 7 });
});

test('three short lives in a row are enough; a long one between begins anew [vault.enclave.restarted]', async () => {
  expect(await kept([1, 9999, 5000, 20_000], 7)).toMatchObject({ attended: [0, 1, 2], code: 1 });
  expect(await kept([1, 1, 10_000, 1, 1, 10_000], 7)).toMatchObject({
    attended: [0, 1, 2, 3, 4, 5],
    code: 7,
  });
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('who answers now and then is there, who has not for 5 s is not, and is told of once [vault.enclave.restarted]', () => {
  let [asked, silent] = [0, 0];
  const answers = watchAnswers({ ask: () => (asked += 1), onSilent: () => (silent += 1) });
  for (let i = 0; i < 5; i += 1) {
    vi.advanceTimersByTime(4900);
    expect(silent).toBe(0);
    answers.heard();
  }
  vi.advanceTimersByTime(4900);
  expect(silent).toBe(0);
  vi.advanceTimersByTime(600);
  expect(silent).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(silent).toBe(1);
  expect(asked).toBeLessThan(130);
  expect(answers.end()).toBe(24_500);
});
