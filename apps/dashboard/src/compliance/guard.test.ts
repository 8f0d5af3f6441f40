import { expect, test } from 'vitest';
import { guard } from './guard.ts';
import type { Unavailable } from '../screening/ports.ts';

type Answer = { readonly kind: 'known' };
const known: Answer = { kind: 'known' };
const failed = (why: Unavailable['why'], more: object = {}): Unavailable => ({
  kind: 'unavailable',
  why,
  detail: '',
  raw: null,
  ...more,
});

/** A provider that answers from a list, and a clock. */
function world() {
  const answers: (Answer | Unavailable | Promise<Answer>)[] = [];
  const state = { asked: 0, ms: 0 };
  const guarded = guard<string, Answer>(
    async () => {
      state.asked += 1;
      return answers.shift() ?? known;
    },
    (question) => question,
    () => new Date(state.ms),
  );
  return { ...guarded, answers, state };
}

test('five failures in a row let it rest for 30 s', async () => {
  const { ask, answers, state } = world();
  answers.push(...Array.from({ length: 5 }, () => failed('http')));
  for (let n = 0; n < 5; n++) await ask('q');
  expect(await ask('q')).toMatchObject({ why: 'resting' });
  expect(state.asked).toBe(5);
  state.ms = 30_000;
  expect(await ask('q')).toEqual(known);
});

test('a good answer between them starts the count again; one that makes no sense is not counted', async () => {
  const { ask, answers, state, isUp } = world();
  answers.push(...Array.from({ length: 4 }, () => failed('timeout')), known);
  answers.push(...Array.from({ length: 20 }, () => failed('malformed')));
  for (let n = 0; n < 25; n++) await ask('q');
  expect(state.asked).toBe(25);
  expect(isUp()).toBe(false);
  await ask('q');
  expect(isUp()).toBe(true);
});

test('after its rest a single question tries it, and a failure sends it back to rest', async () => {
  const { ask, answers, state } = world();
  answers.push(...Array.from({ length: 5 }, () => failed('unreachable')));
  for (let n = 0; n < 5; n++) await ask('q');
  state.ms = 30_000;
  let settle: (answer: Answer) => void = () => {};
  answers.push(new Promise<Answer>((resolve) => (settle = resolve)), failed('unreachable'));
  const trying = ask('q');
  expect(await ask('q')).toMatchObject({ why: 'resting' });
  settle(failed('unreachable') as unknown as Answer);
  await trying;
  expect(await ask('q')).toMatchObject({ why: 'resting' });
  expect(state.asked).toBe(6);
});

test('a wish to be left alone is granted, for 5 minutes at most', async () => {
  const { ask, answers, state } = world();
  answers.push(failed('http', { retryAfterMs: 86_400_000 }));
  await ask('q');
  state.ms = 299_999;
  expect(await ask('q')).toMatchObject({ why: 'resting' });
  state.ms = 300_000;
  expect(await ask('q')).toEqual(known);
});

test('answers without sense are a failure once five subjects had one; however many about one are one', async () => {
  const { ask, answers, isFailing } = world();
  answers.push(...Array.from({ length: 20 }, () => failed('malformed')));
  for (let n = 0; n < 10; n++) await ask('mine');
  for (const other of ['a', 'b', 'c']) await ask(other);
  expect(isFailing()).toBe(false);
  await ask('d');
  expect(isFailing()).toBe(true);
  answers.length = 0;
  answers.push(known, ...Array.from({ length: 4 }, () => failed('malformed')));
  for (const other of ['a', 'a', 'b', 'c', 'd']) await ask(other);
  expect(isFailing()).toBe(false);
});
