/** Gives random bytes; `node:crypto`'s outside of tests. */
export type RandomBytes = (length: number) => Buffer;

type Draw = (below: number) => number;

/** So long is what is typed in place of a secret that a page could tell of by how long it is, or how strong. */
const usualLength = 16;

/**
 * What is typed in place of any such secret: capital and small letters, digits and a sign, so that the checks that pages
 * make of passwords pass. It says nothing of the secret; shorter where a field takes no more. It never is the secret.
 */
export function newUsualDecoy(secret: Buffer, random: RandomBytes, room = usualLength): string {
  const draw = drawFrom(random);
  const of = (from: string): string => from.charAt(draw(from.length));
  const [capitals, small, digits] = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789'];
  for (;;) {
    const begin = of(capitals) + of(small) + of(digits) + of('-_.!*');
    const rest = Array.from({ length: usualLength - begin.length }, () => of(capitals + small + digits));
    const decoy = (begin + rest.join('')).slice(0, room);
    if (!secret.equals(Buffer.from(decoy))) return decoy;
  }
}

/** Whether pages take it for what it is by its shape: numbers, dates and cards, and addresses of mail. */
export function hasMeantShape(secret: Buffer): boolean {
  const points = decodePoints(secret);
  try {
    return isWrittenNumber(points) || isMailAddress(points);
  } finally {
    points.fill(0);
  }
}

/**
 * What is typed in place of a value with a shape of its own: as many characters, each of the class that it replaces, so that
 * the page's own checks pass: capital, small, digit; an address keeps its `@` and dots, a card number its check digit. Its
 * signs are such as are written the same in every encoding. Null for a value in which nothing can be replaced.
 */
export function newDecoy(secret: Buffer, random: RandomBytes): string | null {
  const points = decodePoints(secret);
  const draw = drawFrom(random);
  try {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const decoy = withCheckDigit(points, imitate(points, draw));
      if (!points.every((point, i) => point === decoy[i])) return String.fromCodePoint(...decoy);
    }
    return null;
  } finally {
    points.fill(0);
  }
}

/** A single digit is the same one time in ten. */
const attempts = 64;

const code = (character: string): number => character.codePointAt(0) ?? 0;
const range = (first: string, last: string) => [code(first), code(last)] as const;

/** Classes that stay themselves, and as long in UTF-8. */
const classes = [
  range('a', 'z'),
  range('A', 'Z'),
  range('0', '9'),
  range('à', 'ö'),
  range('À', 'Ö'),
  range('α', 'ρ'),
  range('Α', 'Ρ'),
  range('а', 'я'),
  range('А', 'Я'),
  range('ぁ', 'ゖ'),
  range('ァ', 'ヺ'),
  range('一', '鿕'),
  range('가', '힣'),
] as const;

/** Written alike in a URL, in JSON, in HTML and in a form. */
const signs = Array.from('-_.!*', code);
const structure = new Set(Array.from('@.-_+', code));
const space = 0x20;

const ofNumber = new Set(Array.from(' +-./:()', code));
const isWrittenNumber = (points: Uint32Array): boolean =>
  points.some(isDigit) && points.every((point) => isDigit(point) || ofNumber.has(point));

function isMailAddress(points: Uint32Array): boolean {
  const at = points.indexOf(code('@'));
  const isOnly = at > 0 && at === points.lastIndexOf(code('@'));
  return isOnly && points.indexOf(code('.'), at) > at + 1 && points.every((point) => point > space);
}

function imitate(points: Uint32Array, draw: Draw): Uint32Array {
  const isAddress = points.filter((point) => point === code('@')).length === 1;
  return points.map((point) => {
    const own = classes.find(([first, last]) => point >= first && point <= last);
    if (own !== undefined) return own[0] + draw(own[1] - own[0] + 1);
    if (point <= space || (isAddress && structure.has(point))) return point;
    if (point < 0x80) return signs[draw(signs.length)] ?? point;
    if (point < 0x800) return code('à') + draw(23);
    return point < 0x1_0000 ? code('一') + draw(20_000) : 0x1_f600 + draw(64);
  });
}

const isDigit = (point: number): boolean => point >= 0x30 && point <= 0x39;

/** A number that passes the check of Luhn (ISO/IEC 7812-1) is imitated by one that does, of the same brand. */
function withCheckDigit(points: Uint32Array, decoy: Uint32Array): Uint32Array {
  const places = [...points.keys()].filter((i) => isDigit(points[i] ?? 0));
  const isNumber = points.every((point) => isDigit(point) || point === space || point === code('-'));
  if (!isNumber || places.length < 12 || places.length > 19 || luhn(points, places) !== 0) return decoy;
  const [first = 0, second = 0, last = 0] = [places[0], places[1], places.at(-1)];
  decoy[first] = points[first] ?? 0;
  decoy[second] = points[second] ?? 0;
  for (const [i, point] of points.entries()) if (!isDigit(point)) decoy[i] = point;
  decoy[last] = 0x30;
  decoy[last] = 0x30 + ((10 - luhn(decoy, places)) % 10);
  return decoy;
}

function luhn(points: Uint32Array, places: readonly number[]): number {
  const digits = places.map((place) => (points[place] ?? 0) - 0x30).reverse();
  return (
    digits.reduce(
      (sum, digit, i) => sum + (i % 2 === 0 ? digit : ((digit * 2) % 10) + (digit > 4 ? 1 : 0)),
      0,
    ) % 10
  );
}

/** Without a string in between: UTF-8 that is none gives U+FFFD. */
function decodePoints(bytes: Buffer): Uint32Array {
  const points = new Uint32Array(bytes.length);
  let count = 0;
  for (let i = 0; i < bytes.length; ) {
    const length = lengthAt(bytes, i);
    let point = length === 1 ? (bytes[i] ?? 0) : (bytes[i] ?? 0) & (0x7f >> length);
    for (let k = 1; k < length; k++) point = (point << 6) | ((bytes[i + k] ?? 0) & 0x3f);
    points[count++] = length === 1 && point >= 0x80 ? 0xfffd : point;
    i += length;
  }
  return points.subarray(0, count);
}

function lengthAt(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
  for (let k = 1; k < length; k++) if (((bytes[at + k] ?? 0) & 0xc0) !== 0x80) return 1;
  return length;
}

/** Even over its range: what would make the first numbers likelier is drawn again. */
const drawFrom =
  (random: RandomBytes): Draw =>
  (below) => {
    const limit = Math.floor(0x1_0000_0000 / below) * below;
    for (;;) {
      const number = random(4).readUInt32BE();
      if (number < limit) return number % below;
    }
  };
