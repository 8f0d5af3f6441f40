import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attacks } from './attacks.ts';

const folder = join(import.meta.dirname, '..');
const files = ['', 'attacks'].flatMap((below) =>
  readdirSync(join(folder, below))
    .filter((name) => name.endsWith('.e2e.test.ts'))
    .map((name) => join(below, name)),
);
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** The markers in a file, such as `3` and `3 control`. */
const markersIn = (file: string): readonly string[] =>
  [...textOf(file).matchAll(/\[attack (\d+(?: control)?)\]/g)].map(([, marker = '']) => marker);
const marked = new Set(files.flatMap(markersIn));

test('the attacks are numbered without a gap', () => {
  expect(attacks.map(({ number }) => number)).toEqual(attacks.map((_, n) => n + 1));
});

test('each attack is met by a test where the table says, and shown to work on a client without a gateway', () => {
  const unmet = attacks.flatMap((attack) => {
    if ('absent' in attack) return [];
    const found = markersIn(attack.tests).some((marker) => marker.split(' ')[0] === String(attack.number));
    const both = [`${attack.number}`, `${attack.number} control`].every((marker) => marked.has(marker));
    return found && both ? [] : [attack.number];
  });
  expect(unmet).toEqual([]);
});

test('no test meets an attack that the table does not have, or calls absent', () => {
  const known = new Set(attacks.flatMap((attack) => ('absent' in attack ? [] : [String(attack.number)])));
  expect([...marked].filter((marker) => !known.has(marker.split(' ')[0] ?? ''))).toEqual([]);
});

test('each file of this folder is in the table', () => {
  const named = new Set(attacks.flatMap((attack) => ('absent' in attack ? [] : [attack.tests])));
  expect(files.filter((file) => file.startsWith('attacks/') && !named.has(file))).toEqual([]);
});
