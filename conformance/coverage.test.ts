import { expect, test } from 'vitest';
import { citations, commentCitations, testNames } from './citations.ts';
import { requirements } from './requirements.ts';

/** The newest issue whose work is done: nothing may still be planned for it or an earlier one. */
const newestIssueDone = 7;

const cited = new Set(citations().keys());
const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));

test('every id is unique and readable', () => {
  expect(byId.size).toBe(requirements.length);
  expect(requirements.filter(({ id }) => !/^[a-z]+(-[a-z]+)*(\.[a-z0-9-]+)+$/.test(id))).toEqual([]);
});

test('every id that a test cites exists', () => {
  expect([...cited].filter((id) => !byId.has(id))).toEqual([]);
});

test('the name of a test is a sentence of at most 120 characters, with the ids that it shows behind it', () => {
  const names = testNames();
  expect(names.length).toBeGreaterThan(2000);
  const sentences = names.map(([name, path]) => [name.replace(/(?: \[[a-z0-9. -]+\])+$/, ''), path] as const);
  const wrong = sentences.filter(([name]) => name.length > 120 || /\[[a-z]+\.[a-z]/.test(name));
  expect(wrong).toEqual([]);
});

test('every id that a comment cites is a requirement, or what ids begin with', () => {
  const found = commentCitations();
  expect(found.length).toBeGreaterThan(0);
  const dead = found.filter(([id]) => !requirements.some((r) => `${r.id}.`.startsWith(`${id}.`)));
  expect(dead).toEqual([]);
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
