import { expect, test } from 'vitest';
import { boundsOf, shapeOf } from './shape.ts';

test('a schema reads as a type: members, what may be left out, lists, choices [system.site.pages]', () => {
  const schema = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string' },
      state: { enum: ['open', 'done'] },
      many: { type: 'array', items: { type: ['string', 'null'] } },
    },
    additionalProperties: { type: 'integer' },
  } as const;
  expect(shapeOf(schema)).toBe(
    '{\n  id: string\n  state?: "open" | "done"\n  many?: (string | null)[]\n  [name]: integer\n}',
  );
  expect(shapeOf({})).toBe('any');
});

test('bounds are told in words, and those of every integer are not [system.site.pages]', () => {
  expect(boundsOf({ minimum: 1, maximum: 100 })).toBe('at least 1, at most 100');
  expect(boundsOf({ minimum: -9007199254740991, maximum: 9007199254740991 })).toBe('');
});
