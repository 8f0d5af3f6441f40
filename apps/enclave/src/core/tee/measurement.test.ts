import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measuredIn } from './measured.ts';
import { measurementOf } from './measurement.ts';
import { simulatedTee } from './simulated.ts';

/** Every byte says where it stands. */
const quote = Buffer.from(Array.from({ length: 1024 }, (_, at) => at % 251));
const bytes = (from: number, length: number) => quote.toString('hex', from, from + length);

test.each([
  ['gramine', measuredIn.sgx(quote), bytes(48 + 64, 32)],
  ['tdx', measuredIn.tdx(quote), bytes(48 + 136, 48)],
  ['dstack', { ...measuredIn.tdx(quote), eventLog: '[]' }, bytes(48 + 136, 48)],
  ['sev-snp', measuredIn['sev-snp'](quote), bytes(0x90, 48)],
  ['nitro', { pcr0: 'aa', pcr1: 'bb', pcr2: 'cc' }, 'aa'],
] as const)('%s is known by what it measured of the program', async (kind, measured, expected) => {
  expect(await measurementOf({ kind, measurements: () => Promise.resolve(measured) })).toBe(expected);
});

test('a simulated one is known by the hash of its file', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'measurement-'));
  const program = join(dir, 'program');
  writeFileSync(program, 'abc');
  expect(await measurementOf(simulatedTee({ dir, program }))).toBe(
    'sim:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  rmSync(dir, { recursive: true });
});

test('what was not measured is no measurement', async () => {
  const measurements = () => Promise.resolve({ mrsigner: 'aa' });
  await expect(measurementOf({ kind: 'gramine', measurements })).rejects.toThrow('did not measure mrenclave');
});
