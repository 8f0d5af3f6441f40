import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from './requirements.ts';

/** The newest issue whose work is done: nothing may still be planned for it or an earlier one. */
const newestIssueDone = 7;

const root = join(import.meta.dirname, '..');
const skipped = new Set(['node_modules', 'dist', '.git', '.countersign', 'peers']);

function* testsBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    if (skipped.has(name)) continue;
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* testsBelow(path);
    else if (name.endsWith('.test.ts')) yield path;
  }
}

/** Ids stand in square brackets in the names of tests. */
const cited = new Set(
  [...testsBelow(root)].flatMap((path) =>
    [
      ...readFileSync(path, 'utf8').matchAll(
        /\[((?:system|gateway|dashboard|vault|control-plane)\.[a-z0-9.-]+)\]/g,
      ),
    ].map((match) => match[1] ?? ''),
  ),
);
const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));

test('every id is unique and readable', () => {
  expect(byId.size).toBe(requirements.length);
  expect(requirements.filter(({ id }) => !/^[a-z]+(-[a-z]+)*(\.[a-z0-9-]+)+$/.test(id))).toEqual([]);
});

test('every id that a test cites exists', () => {
  expect([...cited].filter((id) => !byId.has(id))).toEqual([]);
});

test('what is called tested is cited by a test, and what a test cites is not called planned [system.repository.requirements-covered]', () => {
  const wrong = requirements
    .filter(({ id, status }) => (status === 'tested') !== cited.has(id))
    .map(({ id }) => id);
  expect(wrong).toEqual([]);
});

test('nothing is planned for an issue that is done', () => {
  const overdue = requirements.filter(
    ({ status }) => status !== 'tested' && status.planned <= newestIssueDone,
  );
  expect(overdue.map(({ id }) => id)).toEqual([]);
});
