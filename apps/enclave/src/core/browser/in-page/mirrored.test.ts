import { afterAll, beforeAll, expect, test } from 'vitest';
import { mirrored } from './mirrored.ts';

const world = globalThis as { inPage?: unknown };
beforeAll(() => {
  world.inPage = { ...mirrored };
});
afterAll(() => {
  world.inPage = undefined;
});

test('changes of a document in an <object>, which has no copy, are left out, and the others made [vault.sandbox.read.changed-copy]', () => {
  const field = { value: 'before', type: 'text' };
  mirrored.nodes[1] = field;
  const ofObject = {
    first: 2,
    seen: '1',
    texts: [[0, 'x']],
    attributes: [[0, 'title', 'x']],
    values: [[0, 'x']],
  } as const;
  const ofPage = { first: 0, seen: null, texts: [], attributes: [], values: [[1, 'after']] } as const;
  mirrored.change([ofObject, ofPage]);
  expect(field.value).toBe('after');
});
