import { expect, test } from 'vitest';
import { flatLettersIn } from './flat-letters.ts';
import { pictureStyles } from './repainted.ts';

type Letter = readonly [text: string, x: number, width: number, spacing?: string];

/** Letters in a line, each in an element of its own: places of those that take no room. */
function flatOf(letters: readonly Letter[]): number[] {
  const strings = letters.map(([, , , spacing = 'normal']) => spacing);
  const document = {
    nodes: { nodeType: letters.map(() => 3) },
    layout: {
      nodeIndex: letters.map((_, i) => i),
      styles: letters.map((_, i) => pictureStyles.map((name) => (name === 'letter-spacing' ? i : -1))),
      bounds: letters.map(([, x, width]) => [x, 10, width, 19]),
    },
  };
  const texts = letters.map(([text]) => text);
  return [...flatLettersIn(document, texts, (at = -1) => strings[at] ?? '')];
}

test('the rest of letters that a font draws as one takes room that the first of them has [vault.sandbox.masking.pictures-alike]', () => {
  expect(
    flatOf([
      ['a', 0, 10],
      ['f', 10, 12],
      ['f', 22, 0],
      ['b', 22, 10],
    ]),
  ).toEqual([]);
  expect(
    flatOf([
      ['f', 10, 18],
      ['f', 28, 0],
      ['i', 28, 0],
      ['b', 28, 10],
    ]),
  ).toEqual([]);
});

test('any other letter without room may be anywhere [vault.sandbox.masking.pictures]', () => {
  const dense = 'a style has it so';
  const cases: Record<string, readonly Letter[]> = {
    [dense]: [
      ['a', 0, 10],
      ['f', 10, 0, '-10px'],
    ],
    'it is moved': [
      ['f', 10, 12],
      ['f', 40, 0],
    ],
    'nothing stands before it': [['f', 22, 0]],
    'no letter stands before it': [
      [':', 10, 12],
      ['f', 22, 0],
    ],
    'it is no letter': [
      ['f', 10, 12],
      ['4', 22, 0],
    ],
    'it is a whole word': [
      ['f', 10, 12],
      ['secret', 22, 0],
    ],
  };
  for (const [why, letters] of Object.entries(cases))
    expect([why, flatOf(letters)]).toEqual([why, [letters.length - 1]]);
  // Of a row of them none can be told apart.
  expect(
    flatOf([
      ['f', 10, 12],
      ['f', 22, 0],
      ['i', 22, 0],
      ['f', 22, 0],
      ['i', 22, 0],
    ]),
  ).toEqual([3, 4]);
});
