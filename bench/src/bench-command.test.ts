import { expect, onTestFinished, test, vi } from 'vitest';
import { type Outcome, runBench } from './bench-command.ts';
import { brokenRows, failuresOf, runLoad } from './load.ts';

async function run(outcome: Outcome) {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const shown = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  const readOptions = () => ({ save: false });
  const command = { name: 'sample', title: 'Sample', help: '', readOptions, measure: async () => outcome };
  const code = await runBench(command, []);
  const text = (spy: typeof said) => spy.mock.calls.flat().join('\n');
  return { code, said: text(said), shown: text(shown) };
}

test('a benchmark whose calls fail says which and why, and ends with exit code 1 [system.repository.bench-broken]', async () => {
  const call = (n: number) => (n < 2 ? Promise.resolve() : Promise.reject(new Error('no such step')));
  const round = await runLoad(call, 1, 0.01);
  const row = { name: 'variant', ...failuresOf([round, round]) };
  const { code, said, shown } = await run({ text: 'a table', data: {}, broken: brokenRows([row]) });
  expect({ code, shown }).toEqual({ code: 1, shown: expect.stringContaining('a table') });
  expect(said).toMatch(
    /^bench sample: BROKEN: variant: \d{2,} calls failed, the first because: no such step$/m,
  );
});

test('one whose calls all succeed ends with exit code 0', async () => {
  const round = await runLoad(async () => {}, 1, 0);
  const broken = brokenRows([{ name: 'variant', ...failuresOf([round]) }]);
  expect(await run({ text: 'a table', data: {}, broken })).toMatchObject({ code: 0, said: '' });
});
