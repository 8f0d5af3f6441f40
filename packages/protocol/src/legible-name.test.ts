import { expect, test } from 'vitest';
import { z } from 'zod';
import { legibleName, unseenIn } from './legible-name.ts';

test.each([
  ['invoice\u202egnp.exe', 'U+202E'],
  ['pay\u200bpal', 'U+200B'],
  ['pay\u200dpal', 'U+200D'],
  ['pay\u200cpal', 'U+200C'],
  ['a\u2066b\u2069', 'U+2066'],
  ['\ufeffname', 'U+FEFF'],
  ['soft\u00adhyphen', 'U+00AD'],
  ['x\u{e0041}\u{e0042}', 'U+E0041'],
  ['hangul\u3164filler', 'U+3164'],
  ['two\nlines', 'U+000A'],
  ['bell\u0007', 'U+0007'],
  ['half\ud800', 'U+D800'],
  ['letter\ufe0f', 'U+FE0F'],
  ['سلام\u200c', 'U+200C'],
  ['Payroll 1\ufe0f', 'U+FE0F'],
  ['Payroll 1\ufe0e', 'U+FE0E'],
  ['#\ufe0f', 'U+FE0F'],
  ['*\ufe0f', 'U+FE0F'],
  ['🙂\u200d🙂', 'U+200D'],
  ['©\u200d®', 'U+200D'],
  ['blank\u2800', 'U+2800'],
  ['क्🙂\u200dष', 'U+200D'],
  ['👩\u200d👩\u200d👧\u200d🙂', 'U+200D'],
  ['葛\u{e0100}\u{e0101}', 'U+E0101'],
  ['letter\u{e0100}', 'U+E0100'],
  ['pay\u180bpal', 'U+180B'],
  ['pay\u180epal', 'U+180E'],
  ['র\u200dক', 'U+200D'],
  ['PDF\u200cfile', 'U+200C'],
  ['\u200cها', 'U+200C'],
])('%j is refused for %s [dashboard.names.legible]', (name, found) => {
  expect(unseenIn(name)).toBe(found);
});

test.each([
  'Ada Lovelace',
  'José Ángel Ó Súilleabháin',
  'علی\u200cرضا',
  'می\u200cخواهم',
  'क्\u200dष and क्\u200cष',
  'ශ්\u200dරී ලංකා',
  'שלום',
  '👩\u200d👩\u200d👧 family',
  '🏳\ufe0f\u200d🌈',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '1\ufe0f\u20e3 first',
  '❤\ufe0f',
  '東京 株式会社',
  'র\u200d্যাব',
  '葛\u{e0100}飾区',
  'ᠬ\u180bᠠᠭᠠᠨ',
  'ᠮᠣᠩᠭᠣᠯ ᠪᠠᠶᠢᠨ\u180eᠠ',
  'PDF\u200cها',
  '۲۰\u200cساله',
  '👍🏽 team',
  '🏋🏽\u200d♂ runs',
  '👩🏽\u200d❤\ufe0f\u200d👨🏿',
  '👩🏿\u200d👩🏻\u200d👧🏽',
  '©\ufe0f 2026',
  '☎\ufe0e 12',
  '1\ufe0e\u20e3 second',
  '❤\u200d🔥',
])('%s is a name as people write it [dashboard.names.legible]', (name) => {
  expect(unseenIn(name)).toBeNull();
});

test.each([' ', '\u00a0\u2003', '\u2800', '\u3164', '\u0301'])(
  '%j shows nothing and is no name [dashboard.names.blank]',
  (name) => {
    expect(legibleName(z.string()).safeParse(name).success).toBe(false);
  },
);

test('the refusal names the character and nothing else of the name, and the other rules of the text stand', () => {
  const name = legibleName(z.string().min(1).max(8));
  expect(name.safeParse('sec\u200bret').error?.issues[0]?.message).toBe(
    'must not contain invisible characters or characters that change the reading order: U+200B',
  );
  expect(name.safeParse('').success).toBe(false);
  expect(name.safeParse('far too long').success).toBe(false);
});
