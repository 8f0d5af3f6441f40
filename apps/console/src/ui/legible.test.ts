import { assert, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import { legible } from './legible.ts';

test.each([
  ['a turned reading order', 'pay \u202e001\u202c', 'pay \\u202e001\\u202c'],
  ['an isolate', '\u2066x\u2069', '\\u2066x\\u2069'],
  ['a blank without width', 'pay\u200bment', 'pay\\u200bment'],
  ['a tag outside the first plane', 'a\u{e0041}', 'a\\udb40\\udc41'],
  ['a filler that looks like nothing', '\u3164', '\\u3164'],
  ['a line that the text does not have', 'a\u2028b', 'a\\u2028b'],
])('%s is shown by its code [control-plane.console.legible]', (_, text, shown) => {
  expect(legible(text)).toBe(shown);
});

test('what can be seen stays as it is', () => {
  const text = 'Кири́лл, 会計部, Αθήνα, שלום: 1\u00a0000 € ❤\ufe0f\nnext line';
  expect(legible(text)).toBe(text);
});

test('JSON that is made legible is the same JSON', () => {
  assert(
    property(jsonValue(), (value) => {
      const text = JSON.stringify(value, null, 2);
      expect(JSON.parse(legible(text))).toEqual(JSON.parse(text));
    }),
  );
});
