import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldBytes } from './field.ts';

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.string());

/** Any spelling of a text that JSON allows: some characters as `\uXXXX`. */
const spelled = (value: string, escaped: readonly boolean[]): string =>
  `"${Array.from({ length: value.length }, (_, i) => value.charAt(i))
    .map((unit, i) =>
      escaped[i % escaped.length] === true || /[\p{Cc}"\\\p{Cs}]/u.test(unit)
        ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
        : unit,
    )
    .join('')}"`;

test('a field is what JSON.parse makes of it, in any spelling', () => {
  fc.assert(
    fc.property(text, text, fc.array(fc.boolean(), { minLength: 1 }), (value, other, escaped) => {
      for (const written of [JSON.stringify(value), spelled(value, escaped)]) {
        const plaintext = Buffer.from(`{ "other" : ${JSON.stringify(other)}, "secret":${written} }`);
        const expected = (JSON.parse(plaintext.toString()) as { secret: string }).secret;
        expect(fieldBytes(plaintext, 'secret')).toEqual(Buffer.from(expected.toWellFormed()));
      }
    }),
  );
});

test('a number is its digits, an object its JSON as written, and what is not there is null', () => {
  const plaintext = Buffer.from('{"port":5432,"credential_json":{"a": ["secret", {"b":1}]},"text":"port"}');
  const read = (name: string) => fieldBytes(plaintext, name)?.toString() ?? null;
  expect(read('port')).toBe('5432');
  expect(read('credential_json')).toBe('{"a": ["secret", {"b":1}]}');
  expect(read('a')).toBe(null);
  expect(read('secret')).toBe(null);
});
