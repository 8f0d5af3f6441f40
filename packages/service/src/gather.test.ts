import { expect, test } from 'vitest';
import { gathering } from './gather.ts';

/** A run that a test lets end by hand, and the items of each so far. */
function controlled() {
  const runs: { items: readonly string[]; end: (error?: Error) => void }[] = [];
  const run = (items: readonly string[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      const end = (error?: Error) =>
        error === undefined ? resolve(items.map((item) => `${item}!`)) : reject(error);
      runs.push({ items, end });
    });
  const end = async (index: number, error?: Error) => {
    runs[index]?.end(error);
    await new Promise((done) => setImmediate(done));
  };
  return { run, end, items: () => runs.map((one) => one.items) };
}

test('a lone call runs at once; what comes meanwhile runs together, in order, at most so many', async () => {
  const { run, end, items } = controlled();
  const ask = gathering(run, 3);
  const answers = ['a', 'b', 'c', 'd', 'e'].map(ask);
  expect(items()).toEqual([['a']]);
  await end(0);
  expect(items()).toEqual([['a'], ['b', 'c', 'd']]);
  await end(1);
  expect(items()).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
  await end(2);
  expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!', 'd!', 'e!']);
  const next = ask('f');
  expect(items().at(-1)).toEqual(['f']);
  await end(3);
  expect(await next).toBe('f!');
});

test('a run that fails rejects its own calls only, and the next one runs', async () => {
  const { run, end } = controlled();
  const ask = gathering(run, 10);
  const both = Promise.allSettled([ask('a'), ask('b')]);
  await end(0, new Error('broken'));
  await end(1);
  expect(await both).toEqual([
    { status: 'rejected', reason: new Error('broken') },
    { status: 'fulfilled', value: 'b!' },
  ]);
});

test('each item of a run may still end in its own way', async () => {
  const ask = gathering(
    async (items: readonly string[]) =>
      items.map((item) => (item === 'bad' ? Promise.reject(new Error('bad')) : item)),
    10,
  );
  const answers = await Promise.allSettled(['a', 'bad', 'b'].map(ask));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('an answer too few is told, not given to the wrong call', async () => {
  const ask = gathering(async () => [], 10);
  await expect(ask('a')).rejects.toThrow('another number');
});
