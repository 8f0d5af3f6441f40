import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCutShort } from './cut-short.ts';

const object = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));

test('JSON is cut short wherever it is cut, and not where it is whole', () => {
  fc.assert(
    fc.property(object, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (value, where) => {
      const text = JSON.stringify(value);
      expect(isCutShort(text)).toBe(false);
      expect(isCutShort(` ${text}\n`)).toBe(false);
      const cut = text.slice(0, 1 + Math.floor(where * (text.length - 1)));
      expect(isCutShort(cut)).toBe(true);
    }),
  );
});

test('texts that are no JSON are left as they are', () => {
  const texts = ['', 'OK', '"half', 'tru', ")]}',\n{", '12', '{}{', '[1] and more'];
  expect(texts.filter(isCutShort)).toEqual([]);
});
