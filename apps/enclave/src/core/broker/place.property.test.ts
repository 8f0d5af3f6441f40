import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Place } from '@countersign/protocol/control/openapi/place';
import { bytesIn } from './place.ts';

const place = (about: Partial<Place>): Place => ({
  in: 'header',
  name: 'x',
  prefix: '',
  form: 'plain',
  ...about,
});

test('the bytes of a credential stand in a request as Node would write them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const credential = Buffer.from(text);
      expect(bytesIn(place({ form: 'base64' }), credential)?.toString()).toBe(credential.toString('base64'));
      const encoded = bytesIn(place({ in: 'query' }), credential)?.toString() ?? '';
      expect(decodeURIComponent(encoded)).toBe(text);
      expect(encoded).toMatch(/^[\w.~%-]*$/);
    }),
  );
});

test('one that would end its line is no part of a header', () => {
  for (const text of ['a\r\nb', 'a\n', '\0', '\x7f'])
    expect(bytesIn(place({}), Buffer.from(text))).toBeNull();
  expect(bytesIn(place({}), Buffer.from('sk-1'))?.toString()).toBe('sk-1');
});
