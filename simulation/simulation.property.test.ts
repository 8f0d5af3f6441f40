import { expect, test } from 'vitest';
import { bundled } from './bundle.js';
import type { PutBack } from './src/bugs.ts';
import type * as tried from './src/tried.ts';

// Eight times as fast as modules that vitest has turned, each of which asks for the others at every call.
const { putBack, replay, runSeeds } = (await bundled('tried')) as typeof tried;

/** What one bug may take to be found: most are found by the first hundred. */
const maxSeeds = 3000;

test('whatever is lost, late, doubled, cancelled, repeated or crashes: never over budget, one settlement, no lost record [system.simulation.money]', async () => {
  const { broken } = await runSeeds({ from: 1, count: 1200 });
  expect(broken === null ? null : `${broken.why}: npm run simulate -- --seed ${broken.seed}`).toBeNull();
});

test('a seed is replayed step by step, whatever runs beside it [system.simulation.replay]', async () => {
  const tell = async (): Promise<readonly string[]> => {
    const lines: string[] = [];
    await replay(11, (line) => lines.push(line));
    return lines;
  };
  const [first, second] = await Promise.all([tell(), tell(), runSeeds({ from: 100, count: 20 })]);
  expect(first.length).toBeGreaterThan(20);
  expect(second).toEqual(first);
});

const lostOnDisk = 'a payment that another process left is sent before it is on disk';

test.each(putBack.filter(({ name }) => name !== lostOnDisk))(
  'put back, it is found by what it breaks, on a seed that is whole without it: $name [system.simulation.finds]',
  isFound,
);

test('put back, it is found: a payment that another process left is sent before it is on disk [system.simulation.finds] [gateway.paying.resume.on-disk]', async () => {
  const [bug, ...others] = putBack.filter(({ name }) => name === lostOnDisk);
  if (bug === undefined) throw new Error('no such bug');
  expect(others).toEqual([]);
  await isFound(bug);
});

async function isFound(bug: PutBack): Promise<void> {
  const { broken } = await runSeeds({ from: 1, count: maxSeeds, bug, why: bug.why });
  if (broken === null) throw new Error('it was not found');
  expect(await runSeeds({ from: broken.seed, count: 1 })).toMatchObject({ done: 1, broken: null });
}
