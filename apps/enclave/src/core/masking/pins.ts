import type { Span } from './find.ts';

/**
 * Returns the number of digits of a secret that consists of digits alone and is short enough to guess; null
 * for any other.
 */
export function pinLength(secret: Uint8Array): number | null {
  const [first, last] = [secret.findIndex(isNoSpace), secret.findLastIndex(isNoSpace)];
  const digits = secret.subarray(Math.max(0, first), last + 1);
  const isPin = digits.length >= minPin && digits.length <= maxPin && digits.every(isDigit);
  return isPin ? digits.length : null;
}

const minPin = 4;
/** A PIN has at most so many digits: there are more numbers of seven digits than an agent can have a page list. */
const maxPin = 6;
const isNoSpace = (byte: number): boolean => byte > 0x20;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/**
 * Where numbers stand that could be a secret, in UTF-16 units of the texts with so many between each two. Before the first
 * may stand something else. The secrets themselves are not known to it.
 */
export type FindPins = (texts: readonly string[], between: number, before: string) => Span[];

/**
 * Hides every number of so many digits that stands by itself, in one text, in groups or a group a text: what is masked says
 * nothing of which of them is the secret, whatever a page lists or computes and whatever the agent wrote.
 */
export function pinFinder(lengths: ReadonlySet<number>): FindPins {
  if (lengths.size === 0) return () => [];
  return (texts, between, before) => {
    const numbers = numbersOf(texts, between, before);
    return [
      ...texts.flatMap((text, i) => groupsIn(text, numbers[i] ?? [], lengths)),
      ...rowsOf(texts, numbers, lengths),
    ];
  };
}

/** A number with no letter before or after it; `at` is where it stands in its own text. */
type Digits = Span & { readonly at: number; readonly count: number };

/** The numbers in each text. */
function numbersOf(texts: readonly string[], between: number, before: string): Digits[][] {
  let from = 0;
  return texts.map((text, i) => {
    const start = from;
    from += text.length + between;
    // Of a text that goes on from a letter or digit: what it begins with is no number of its own.
    const isCut = i === 0 && endsInWord.test(before);
    if (!hasDigit.test(text)) return [];
    return [...text.matchAll(number)].flatMap(({ 0: digits, index }) => {
      if (isCut && index === 0) return [];
      const count = digits.match(digit)?.length ?? 0;
      return [{ start: start + index, end: start + index + digits.length, at: index, count }];
    });
  });
}

/** Finds the numbers in one text, whole or in groups as codes and large numbers are written. */
function groupsIn(text: string, numbers: readonly Digits[], lengths: ReadonlySet<number>): Span[] {
  const signs = numbers.map(({ at, start, end }, i) => {
    const gap = text.slice(at + end - start, numbers[i + 1]?.at ?? 0);
    // Pages show any number of spaces as one; words behind them are words all the same.
    return gap.length <= maxGap || spaces.test(gap) ? gap.slice(0, maxGap) : '';
  });
  const found: Span[] = numbers.filter(({ count }) => lengths.has(count));
  for (const isLarge of [false, true])
    for (let first = 0; first < numbers.length; ) {
      const last = lastOf(numbers, signs, first, isLarge);
      const isOne = last > first && (isLarge || isWhole(numbers, signs, first, last));
      if (isOne && lengths.has(counted(numbers, first, last))) found.push(spanOf(numbers, first, last));
      first = last + 1;
    }
  return found;
}

/** The last of the groups that are one with the first. */
function lastOf(
  numbers: readonly Digits[],
  signs: readonly string[],
  first: number,
  isLarge: boolean,
): number {
  const [size, sign] = [numbers[first]?.count ?? 0, signs[first] ?? ''];
  const isOne = isLarge ? thousands.test(sign) && size <= 3 : size <= 3 && isGap(sign, size);
  if (!isOne) return first;
  let last = first;
  while (signs[last] === sign && numbers[last + 1]?.count === (isLarge ? 3 : size)) last++;
  return last;
}

/** Pairs are a code only by themselves, else of a telephone number; two with a dash are a range. */
function isWhole(numbers: readonly Digits[], signs: readonly string[], first: number, last: number): boolean {
  if (numbers[first]?.count !== 2) return true;
  const isBeside = [signs[first - 1], signs[last]].some((sign) => sign !== undefined && spaces.test(sign));
  return !isBeside && (last - first > 1 || !ofThree.test(signs[first] ?? ''));
}

const counted = (numbers: readonly Digits[], first: number, last: number): number =>
  numbers.slice(first, last + 1).reduce((sum, { count }) => sum + count, 0);
const spanOf = (numbers: readonly Digits[], first: number, last: number): Span => ({
  start: numbers[first]?.start ?? 0,
  end: numbers[last]?.end ?? 0,
});

/**
 * Returns whether the characters may separate groups. A point or comma may not, unless the groups are single
 * digits: it forms fractions and lists.
 */
const isGap = (sign: string, size: number): boolean =>
  spaces.test(sign) || (size === 1 ? ofSingles : ofGroups).test(sign) || (size > 1 && ofThree.test(sign));
const spaces = /^[\s\p{Z}\p{Cf}]+$/u;
const ofSingles = /^[\s\p{Z}]?[-\p{Pd}.,_|/·•][\s\p{Z}]?$/u;
const ofGroups = /^[\s\p{Z}]?[_|·•][\s\p{Z}]?$/u;
const ofThree = /^[-\p{Pd}]$/u;
const thousands = /^[.,'\u2019\s\p{Z}]$/u;
const maxGap = 8;

/** Groups of as many digits, each in a text of its own; nothing but white space and signs may stand between them. */
function rowsOf(
  texts: readonly string[],
  numbers: readonly (readonly Digits[])[],
  lengths: ReadonlySet<number>,
): Span[] {
  const rows: Cell[][] = [[]];
  // Two that follow each other with none between that is empty stand beside each other.
  for (const [i, text] of texts.entries()) {
    const trimmed = text.length > maxCell ? text : text.trim();
    const digits = aloneIn(trimmed, numbers[i] ?? []);
    const row = rows.at(-1) ?? [];
    if (digits !== null && (row.length === 0 || row[0]?.count === digits.count)) row.push(digits);
    else if (digits !== null) rows.push([digits]);
    else if (!between.test(trimmed)) rows.push([], []);
  }
  return rows
    .filter(
      (row, i) =>
        row.length > 1 &&
        lengths.has(counted(row, 0, row.length - 1)) &&
        !(row[0]?.count === 2 && isCounting(row, rows[i - 1] ?? [], rows[i + 1] ?? [])),
    )
    .flat();
}

/** Pairs that a number of another length goes on with: `10`, `25`, `50`, `100` are choices, `8`, `9`, `10`, `11` pages. */
function isCounting(row: readonly Cell[], before: readonly Cell[], after: readonly Cell[]): boolean {
  if (before.length + after.length === 0) return false;
  const values = [...before.slice(-1), ...row, ...after.slice(0, 1)].map(({ text }) => text);
  const isRound = values.every((value) => round.test(value));
  return values.every((value, i) => {
    const step = Number(value) - Number(values[i - 1] ?? 0);
    return plain.test(value) && (i === 0 || step === 1 || (isRound && step > 0));
  });
}

const plain = /^[1-9]\d*$/;
const round = /^[1-9]?\d*[05]$/;

const between = /^[-\p{Pd}·•]?$/u;

type Cell = Digits & { readonly text: string };

/** A group that a text is, and nothing else. */
function aloneIn(text: string, [digits]: readonly Digits[]): Cell | null {
  const isAlone = digits !== undefined && digits.end - digits.start === text.length;
  return isAlone ? { ...digits, text } : null;
}

/** Digits of any script, in circles, keys and above the line, too. */
const oneDigit =
  '[\\p{Nd}\\u00b2\\u00b3\\u00b9\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468\\u24ea\\u2776-\\u277e]';
const digit = new RegExp(oneDigit, 'gu');
const hasDigit = new RegExp(oneDigit, 'u');
/** Letters of scripts that put spaces between words: with them a number is a name of something else. */
const letter = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}]';
const unseen = '[\\p{M}\\p{Cf}]';
const number = new RegExp(
  `(?=${oneDigit})(?<!(?:${letter}|${oneDigit})${unseen}*)(?:${oneDigit}${unseen}*)+(?!${letter}|${oneDigit}|${unseen})`,
  'gu',
);
const endsInWord = new RegExp(`(?:${letter}|${oneDigit})$`, 'u');
/** Maximum length of a box for one digit, white space included, in characters. */
const maxCell = 64;
