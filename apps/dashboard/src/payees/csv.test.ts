import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv } from './csv.ts';

test.each<[string, string[][] | null]>([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,\n,b',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['a,', [['a', '']]],
  ['"a,""b""\nc",d', [['a,"b"\nc', 'd']]],
  ['\ufeffa', [['a']]],
  ['a\n\n\nb\n', [['a'], [''], [''], ['b']]],
  ['', []],
  ['"a', null],
  ['"a"b,c', null],
  ['a"b,c', null],
])('%j is read as CSV', (text, rows) => {
  expect(readCsv(text)).toEqual(rows);
});

test('whatever is quoted reads back', () => {
  const rows = fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 4 }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(rows, (given) => {
      const text = given
        .map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(','))
        .join('\n');
      expect(readCsv(text)).toEqual(given);
    }),
  );
});

test('a long line of quotes is read in time', () => {
  expect(readCsv(`"${'""'.repeat(50_000)}`)).toBeNull();
});
