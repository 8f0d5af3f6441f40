import { expect, test } from 'vitest';
import { askAgainIn, askUntilOver } from './polling.ts';
import { type Problem, ProblemError } from './problem.ts';

const minute = 60_000;
const at = (error: Problem | null, failingMs = 0) => ({
  error: error && new ProblemError(error),
  dataUpdatedAt: 1_000_000,
  errorUpdatedAt: 1_000_000 + failingMs,
});
const refused = (
  code: 'unauthorized' | 'insufficient_scope' | 'not_found' | 'rate_limited' | 'internal_error',
) => ({ kind: 'refused', code, msg: '', requestId: null }) as const;
const unreachable = { kind: 'unreachable', service: 'vault' } as const;

test('what is answered is asked again in time; nobody asks again after an error that will not pass [vault.console.session-log-fresh]', () => {
  expect(askAgainIn(5_000, at(null))).toBe(5_000);
  for (const code of ['unauthorized', 'insufficient_scope', 'not_found'] as const)
    expect(askAgainIn(5_000, at(refused(code)))).toBe(false);
});

test('what may pass is asked again less and less often: after as long as it has failed, a minute at most [vault.console.session-log-fresh]', () => {
  for (const problem of [unreachable, refused('rate_limited'), refused('internal_error')]) {
    let failing = 5_000;
    const waits: (number | false)[] = [];
    while (waits.length < 6) {
      const wait = askAgainIn(5_000, at(problem, failing));
      waits.push(wait);
      failing += Number(wait);
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, minute, minute]);
  }
  expect(askAgainIn(5_000, { ...at(unreachable, 1), dataUpdatedAt: 0 })).toBe(minute);
});

test('what is over is asked once more a while after its end, and then no more [vault.console.session-log-fresh]', () => {
  const askedAt = (ms: number) => ({ ...at(null), dataUpdatedAt: ms });
  expect(askUntilOver(5_000, null, askedAt(99_000))).toBe(5_000);
  expect(askUntilOver(5_000, 10_000, askedAt(9_000))).toBe(5_000);
  expect(askUntilOver(5_000, 10_000, askedAt(14_999))).toBe(5_000);
  expect(askUntilOver(5_000, 10_000, askedAt(15_000))).toBe(false);
  expect(
    askUntilOver(5_000, 10_000, { ...at(unreachable), dataUpdatedAt: 9_000, errorUpdatedAt: 15_000 }),
  ).toBe(6_000);
});
