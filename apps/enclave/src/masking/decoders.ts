import type { Reader, Readers } from './view.ts';

/** How a text of the web may write a character: percent signs, character references, backslashes. */
const utf8 = new TextEncoder();

const character = (point: number, length: number) =>
  point > 0x10ffff
    ? null
    : { value: point < 0x80 ? Uint8Array.of(point) : utf8.encode(String.fromCodePoint(point)), length };

const fromHex = (hex: string | undefined): number => Number.parseInt(hex ?? '', 16);

/** `%70`, and `%u0070` of JavaScript's `escape`. */
const percent: Reader = (whole, at) => {
  const text = whole.slice(at, at + 16);
  const byte = /^%([0-9a-f]{2})/i.exec(text);
  if (byte !== null) return { value: Uint8Array.of(fromHex(byte[1])), length: 3 };
  const unit = /^%u([0-9a-f]{4})/i.exec(text);
  return unit === null ? null : character(fromHex(unit[1]), 6);
};

/** `&#112;`, `&#x70;` and names; the semicolon may be absent, as in HTML. */
const reference: Reader = (whole, at) => {
  const text = whole.slice(at, at + 16);
  const number = /^&#(?:x([0-9a-f]{1,8})|([0-9]{1,9}));?/i.exec(text);
  if (number !== null)
    return character(number[1] === undefined ? Number(number[2]) : fromHex(number[1]), number[0].length);
  const name = /^&([a-z]{2,8});?/i.exec(text);
  const value = namedCharacters.get(name?.[1] ?? '');
  return name === null || value === undefined ? null : { value: utf8.encode(value), length: name[0].length };
};

/** `\u0070` (also as pair), `\u{70}`, `\x70`, `\n`, `\"` and the like: JSON and JavaScript. */
const backslash: Reader = (whole, at) => {
  const text = whole.slice(at, at + 16);
  const pair = /^\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/i.exec(text);
  if (pair !== null)
    return { value: utf8.encode(String.fromCharCode(fromHex(pair[1]), fromHex(pair[2]))), length: 12 };
  const unit = /^\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2}))/i.exec(text);
  if (unit !== null) return character(fromHex(unit[1] ?? unit[2] ?? unit[3]), unit[0].length);
  const value = escapes[text.charAt(1)];
  return value === undefined ? null : { value: utf8.encode(value), length: 2 };
};

const escapes: Readonly<Record<string, string>> = {
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
};

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

const percentReader: Readers = new Map([['%', percent]]);
const referenceReader: Readers = new Map([['&', reference]]);
const backslashReader: Readers = new Map([['\\', backslash]]);

export const allReaders: Readers = new Map([...percentReader, ...referenceReader, ...backslashReader]);
export const singleReaders: readonly Readers[] = [percentReader, referenceReader, backslashReader];
