import { assert, dictionary, json, jsonValue, property, string, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { outlineOf } from './json-outline.ts';

/** What the outline is of a value that Node read. */
function outlined(value: unknown): unknown {
  if (typeof value === 'string') return 'x'.repeat(value.length);
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

test('outlines objects as JSON.parse reads them, with texts as long', () => {
  const anything = string({ unit: 'binary' });
  assert(
    property(dictionary(anything, jsonValue({ maxDepth: 5 })), (value) => {
      const text = JSON.stringify(value, null, 1);
      const expected = Object.entries(parsed(text) as object).map(([name, one]) => [name, outlined(one)]);
      expect(outlineOf(Buffer.from(text))).toEqual(Object.fromEntries(expected));
    }),
  );
});

/** Names given twice and long numbers are refused beyond what JSON.parse refuses. */
const isRefusedBesides = (text: string): boolean => /"\s*:.*"\s*:|[\d.eE+-]{33}/s.test(text);

test('takes exactly what JSON.parse takes, of objects that were changed anywhere', () => {
  const signs = '{}[]",:\\u0e+-. tfn\n\u0001ä';
  assert(
    property(
      json({ maxDepth: 2 }),
      string({ maxLength: 3 }),
      uint8Array({ minLength: 3, maxLength: 3 }),
      (...given) => {
        const [text, more, [at = 0, cut = 0, sign = 0]] = given;
        const where = at % (text.length + 1);
        const put = more + (signs[sign % signs.length] ?? '');
        const changed = `{"a":${text.slice(0, where)}${put}${text.slice(where + (cut % 3))}}`;
        const expected = parsed(changed);
        const outline = outlineOf(Buffer.from(changed));
        const isTaken = outline !== null;
        expect(isTaken && !isObject(expected)).toBe(false);
        expect(!isTaken && isObject(expected) && !isRefusedBesides(changed)).toBe(false);
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  ['nothing', ''],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['a name twice', '{"key":"a","key":"b"}'],
  ['a name twice, spelt another way', '{"key":"a","\\u006bey":"b"}'],
  ['more after its end', '{"a":1} 2'],
  ['a control character', '{"a":"\u0001"}'],
  ['a leading zero', '{"a":01}'],
  ['a comma too many', '{"a":1,}'],
  ['65 levels', `{"a":${'['.repeat(65)}${']'.repeat(65)}}`],
])('refuses %s', (_, text) => {
  expect(outlineOf(Buffer.from(text))).toBeNull();
});

test('refuses bytes that are no UTF-8, and a name that is __proto__ stays a name', () => {
  expect(outlineOf(Buffer.from('7b2261223a22ff227d', 'hex'))).toBeNull();
  expect(Object.keys(outlineOf(Buffer.from('{"__proto__":{"a":1}}')) ?? {})).toEqual(['__proto__']);
});
