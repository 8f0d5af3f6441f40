/**
 * The meaning of one encoded character, at most `room` bytes of UTF-8. The object is reused, since pages have
 * millions of characters.
 */
export type Token = { readonly bytes: Uint8Array; size: number };

const room = 8;
export const newToken = (): Token => ({ bytes: new Uint8Array(room), size: 0 });

/**
 * Decodes one character at `at` into `into`. Returns the number of bytes read; 0 if no encoded character
 * stands there.
 */
export type Reader = (text: Uint8Array, at: number, into: Token) => number;

const code = (character: string): number => character.charCodeAt(0);
const percentSign = code('%');
const ampersand = code('&');
const backslashSign = code('\\');
const hash = code('#');
const semicolon = code(';');
const [letterU, letterX] = [code('u'), code('x')];
const [openBrace, closeBrace] = [code('{'), code('}')];

/** Maps a byte to the value of its hexadecimal digit; 255 for any other byte. */
const digits = new Uint8Array(256).fill(255);
for (const [value, digit] of Array.from('0123456789abcdef').entries()) {
  digits[code(digit)] = value;
  digits[code(digit.toUpperCase())] = value;
}

const digitAt = (text: Uint8Array, at: number): number => digits[text[at] ?? 0] ?? 255;

/** Reads exactly `count` hexadecimal digits; -1 if other bytes are there. */
function hexAt(text: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i++) {
    const digit = digitAt(text, i);
    if (digit > 15) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function put(point: number, length: number, into: Token): number {
  if (point < 0 || point > 0x10ffff) return 0;
  const whole = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
  const more = whole < 0x80 ? 0 : whole < 0x800 ? 1 : whole < 0x1_0000 ? 2 : 3;
  into.bytes[0] = more === 0 ? whole : ((0xf0 << (3 - more)) & 0xff) | (whole >> (6 * more));
  for (let i = 1; i <= more; i++) into.bytes[i] = 0x80 | ((whole >> (6 * (more - i))) & 0x3f);
  into.size = more + 1;
  return length;
}

/** `%70`, whatever byte it is, and `%u0070` of JavaScript's `escape`. */
const percent: Reader = (text, at, into) => {
  const byte = hexAt(text, at + 1, 2);
  if (byte >= 0) {
    into.bytes[0] = byte;
    into.size = 1;
    return 3;
  }
  return ((text[at + 1] ?? 0) | 0x20) === letterU ? put(hexAt(text, at + 2, 4), 6, into) : 0;
};

/** `&#112;`, `&#x70;` and names; the semicolon may be absent, as in HTML. */
const reference: Reader = (text, at, into) =>
  text[at + 1] === hash ? numbered(text, at, into) : named(text, at, into);

const numbered: Reader = (text, at, into) => {
  const isHex = ((text[at + 2] ?? 0) | 0x20) === letterX;
  const [from, base, most] = isHex ? [at + 3, 16, 8] : [at + 2, 10, 9];
  let [i, value] = [from, 0];
  for (; i < from + most && digitAt(text, i) < base; i++) value = value * base + digitAt(text, i);
  if (i === from) return 0;
  return put(value, i - at + (text[i] === semicolon ? 1 : 0), into);
};

const maxName = 8;
const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;

const named: Reader = (text, at, into) => {
  let i = at + 1;
  let name = '';
  for (; i <= at + maxName && isLetter(text[i] ?? 0); i++) name += String.fromCharCode(text[i] ?? 0);
  const point = namedCharacters.get(name)?.codePointAt(0);
  return point === undefined ? 0 : put(point, i - at + (text[i] === semicolon ? 1 : 0), into);
};

/** `\u0070` (also as pair), `\u{70}`, `\x70`, `\n`, `\"` and the like: JSON and JavaScript. */
const backslash: Reader = (text, at, into) => {
  const sign = (text[at + 1] ?? 0) | 0x20;
  if (sign === letterX) return put(hexAt(text, at + 2, 2), 4, into);
  if (sign !== letterU) return put(escapes.get(text[at + 1] ?? 0) ?? -1, 2, into);
  return text[at + 2] === openBrace ? braced(text, at, into) : unitOrPair(text, at, into);
};

const unitOrPair: Reader = (text, at, into) => {
  const unit = hexAt(text, at + 2, 4);
  const hasMore = text[at + 6] === backslashSign && ((text[at + 7] ?? 0) | 0x20) === letterU;
  const low = hasMore ? hexAt(text, at + 8, 4) : -1;
  return unit >= 0xd800 && unit < 0xdc00 && low >= 0xdc00 && low <= 0xdfff
    ? put(0x1_0000 + (unit - 0xd800) * 0x400 + (low - 0xdc00), 12, into)
    : put(unit, 6, into);
};

const braced: Reader = (text, at, into) => {
  let [i, value] = [at + 3, 0];
  for (; i < at + 9 && digitAt(text, i) < 16; i++) value = value * 16 + digitAt(text, i);
  return i > at + 3 && text[i] === closeBrace ? put(value, i + 1 - at, into) : 0;
};

const escapes = new Map(
  Object.entries({
    '"': '"',
    "'": "'",
    '`': '`',
    '\\': '\\',
    '/': '/',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
    v: '\v',
  }).map(([sign, meant]) => [code(sign), code(meant)]),
);

/** The names of ASCII's marks (HTML, Named character references), and the few that serializers write. */
const namedCharacters = new Map(
  Object.entries({
    amp: '&',
    AMP: '&',
    lt: '<',
    LT: '<',
    gt: '>',
    GT: '>',
    quot: '"',
    QUOT: '"',
    apos: "'",
    nbsp: '\u00a0',
    excl: '!',
    num: '#',
    dollar: '$',
    percnt: '%',
    lpar: '(',
    rpar: ')',
    ast: '*',
    plus: '+',
    comma: ',',
    period: '.',
    sol: '/',
    colon: ':',
    semi: ';',
    equals: '=',
    quest: '?',
    commat: '@',
    lsqb: '[',
    lbrack: '[',
    bsol: '\\',
    rsqb: ']',
    rbrack: ']',
    Hat: '^',
    lowbar: '_',
    grave: '`',
    lcub: '{',
    lbrace: '{',
    verbar: '|',
    vert: '|',
    rcub: '}',
    rbrace: '}',
    Tab: '\t',
    NewLine: '\n',
  }),
);

/**
 * Decodes the ways in which web text may write a character: percent-encoding, character references, backslash
 * escapes.
 */
export type Readers = { readonly signs: readonly number[]; readonly read: Reader };

export const singleReaders: readonly Readers[] = [
  { signs: [percentSign], read: percent },
  { signs: [ampersand], read: reference },
  { signs: [backslashSign], read: backslash },
];
export const allReaders: Readers = {
  signs: [percentSign, ampersand, backslashSign],
  read: (text, at, into) => {
    const sign = text[at];
    return sign === percentSign
      ? percent(text, at, into)
      : sign === ampersand
        ? reference(text, at, into)
        : backslash(text, at, into);
  },
};
