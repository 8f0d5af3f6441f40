import { type BuildOptions, build } from 'esbuild';
import { expect, test } from 'vitest';
import { benches, bundleOf } from '../bundle.js';
import { apps, optionsOf } from './build-without.ts';

async function faultsOf(options: BuildOptions) {
  const { errors, warnings } = await build({ ...options, write: false, logLevel: 'silent' });
  return [...errors, ...warnings];
}

test.each(benches())('the benchmark %s builds [system.repository.bench-builds]', async (name) => {
  expect(await faultsOf(bundleOf(name))).toEqual([]);
});

test.each(apps)(
  'a %s without its guarantees, to compare ours with, builds [system.repository.bench-builds]',
  async (app) => {
    expect(await faultsOf(optionsOf(app))).toEqual([]);
  },
);
