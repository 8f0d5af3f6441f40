import type { Span } from './find.ts';

/** How many digits a secret has that is nothing else and can be guessed; null for any other. */
export function pinLength(secret: Uint8Array): number | null {
  const [first, last] = [secret.findIndex(isNoSpace), secret.findLastIndex(isNoSpace)];
  const digits = secret.subarray(Math.max(0, first), last + 1);
  const isPin = digits.length >= shortestPin && digits.length <= longestPin && digits.every(isDigit);
  return isPin ? digits.length : null;
}

const shortestPin = 4;
/** Of seven digits there are more than an agent can have a page list. */
const longestPin = 6;
const isNoSpace = (byte: number): boolean => byte > 0x20;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/**
 * Where numbers stand that could be a secret, in UTF-16 units of the texts with so many between each two. Before the first
 * may stand something else. The secrets themselves are not known to it.
 */
export type FindPins = (texts: readonly string[], between: number, before: string) => Span[];

/**
 * Hides every number of so many digits that stands by itself, in one text or one digit a text: what is masked says nothing
 * of which of them is the secret, whatever a page lists or computes and whatever the agent wrote.
 */
export function pinFinder(lengths: ReadonlySet<number>): FindPins {
  if (lengths.size === 0) return () => [];
  return (texts, between, before) => {
    const numbers = numbersOf(texts, between, before);
    const whole = numbers.flat().filter(({ start, end }) => lengths.has(end - start));
    const rows = rowsOf(texts, numbers).filter(({ length }) => lengths.has(length));
    return [...whole, ...rows.flat()];
  };
}

/** The numbers in each text. */
function numbersOf(texts: readonly string[], between: number, before: string): Span[][] {
  let from = 0;
  return texts.map((text, i) => {
    const start = from;
    from += text.length + between;
    const found = i === 0 && endsInWord.test(before) ? numbersAfter(text) : [...text.matchAll(number)];
    return found.map(({ 0: { length }, index }) => ({ start: start + index, end: start + index + length }));
  });
}

/** Single digits in texts that follow each other; what is nothing but white space may stand between. */
function rowsOf(texts: readonly string[], numbers: readonly (readonly Span[])[]): Span[][] {
  const rows: Span[][] = [[]];
  for (const [i, text] of texts.entries()) {
    const trimmed = text.length > longestCell ? text : text.trim();
    const [digit] = numbers[i] ?? [];
    if (trimmed.length === 1 && digit !== undefined) rows.at(-1)?.push(digit);
    else if (trimmed !== '') rows.push([]);
  }
  return rows;
}

/** Of a text that goes on from a letter or digit: what it begins with is no number of its own. */
const numbersAfter = (text: string) => [...text.matchAll(number)].filter(({ index }) => index > 0);
const endsInWord = /[\p{L}\p{N}]$/u;

/** Digits of any script, with no letter or digit before or after them. */
const number = /(?<![\p{L}\p{N}])\p{Nd}+(?![\p{L}\p{N}])/gu;
/** What is longer is no box for one digit, though most of it be white space. */
const longestCell = 64;
