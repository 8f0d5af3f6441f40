import { expect, test } from 'vitest';
import { checkArguments } from './arguments.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

test('tells the first place that does not fit, as a pointer into the arguments', () => {
  const check = checkArguments(
    object({ a: { type: 'array', items: { type: 'integer' } } }, { required: ['a'] }),
  );
  expect(check({ a: [1, 2] })).toBeNull();
  expect(check({ a: [1, 'x'] })).toBe('/a/1');
  expect(check({})).toBe('');
});

test('patterns of strangers are not run, and what they allowed is let through', () => {
  const slow = checkArguments(object({ a: { type: 'string', pattern: '^(a+)+$' } }));
  expect(slow({ a: `${'a'.repeat(50)}!` })).toBeNull();
  const named = checkArguments({
    type: 'object',
    patternProperties: { '^(a+)+$': { type: 'string' } },
    additionalProperties: false,
  });
  expect(named({ anything: 1 })).toBeNull();
});

test('arguments, definitions and values may be called like keywords', () => {
  const check = checkArguments(
    object(
      { pattern: { type: 'string' }, $id: { $ref: '#/$defs/pattern' }, mode: { const: { pattern: 'x' } } },
      { additionalProperties: false, $defs: { pattern: { type: 'integer' } } },
    ),
  );
  expect(check({ pattern: '(', $id: 1, mode: { pattern: 'x' } })).toBeNull();
  expect(check({ $id: 'one' })).toBe('/$id');
  expect(check({ mode: {} })).toBe('/mode');
});

test('a schema cannot make the check a promise', () => {
  const check = checkArguments({ type: 'object', $async: true, required: ['a'] });
  expect(check({})).toBe('');
  expect(check({ a: 1 })).toBeNull();
});

test.each([
  [null],
  ['text'],
  [[]],
  [{ type: 'nonsense' }],
  [{ $ref: 'http://elsewhere/schema' }],
  [{ $ref: '#/nowhere' }],
  [{ required: 'a' }],
])('a schema that cannot be read, %j, lets everything pass', (schema) => {
  expect(checkArguments(schema)({ a: 1 })).toBeNull();
});

test('two tools may use one $id, and newer drafts are read as far as they go', () => {
  const schema = {
    $id: 'http://x/y',
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    required: ['a'],
  };
  expect(checkArguments(schema)({})).toBe('');
  expect(checkArguments(schema)({})).toBe('');
});
