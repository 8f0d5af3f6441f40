import { skeletonOf, withoutSigns } from './skeleton.ts';
import { viewOf } from './view.ts';
import { bytesOf, bytesWritten, numbered, secretsWithin } from './written-out.ts';

/** One way in which a secret can be written in a text. */
export type Form = {
  readonly bytes: Uint8Array;
  /** Base64 means something else in another case, and has two alphabets; everything else is looked for in any case. */
  readonly isBase64: boolean;
  /**
   * How many base64 characters before and after the form hold bits of both the form and its neighbours. They
   * are masked with it.
   */
  readonly before: number;
  readonly after: number;
  /** Also looked for where dashes, dots, slashes, commas and the like stand between its signs. */
  readonly isGrouped: boolean;
  /** White space between its signs is no group. */
  readonly isWord?: boolean;
};

/** Shorter secrets stand in any text by chance: they are not masked, and `newMasker` tells which they are. */
export const minSecret = 4;

/** Longer ones are files and keys, of which nobody writes an encoding in an encoding. */
const maxNested = 1024;

const utf8 = new TextEncoder();

/** Every form that is looked for. White space in a secret does not count, nor how its characters are composed. */
export function formsOf(secret: Uint8Array): Form[] {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(secret);
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const reversed = Array.from(text).reverse().join('');
  const plain = [
    Uint8Array.from(secret),
    Uint8Array.from(secret).reverse(),
    ...latin1(points),
    ...[reversed, text.toUpperCase(), text.replaceAll(' ', '+'), ...longLines(text)].map(encode),
  ];
  const isNested = secret.length <= maxNested;
  return unique([
    ...plain.map((bytes) => whole(bytes, isNumber(bytes))),
    ...[...plain, ...lossyOf(text)].filter(isLong).map((bytes) => whole(bytes, true)),
    ...[
      points.join(''),
      ...(isNested ? [...base32Forms(secret), ...bytesWritten(secret, text)] : []),
      ...numbered(text),
    ].map((one) => whole(encode(one), true)),
    ...writtenOf(secret, text, reversed).flatMap(encodedForms),
    ...bytesOf(text).flatMap(encodedForms),
    ...secretsWithin(text)
      .map(encode)
      .flatMap((one) => [whole(one), whole(one, true), ...encodedForms(one)]),
    ...(isNested ? [...wideOf(text).flatMap(encodedForms), ...nestedForms(secret, text)] : []),
  ]).filter((form) => form.bytes.length >= minSecret);
}

/**
 * The same of a word that an agent wrote, and with other signs in it: a site takes them out and puts them in, so that it may
 * be the secret that is shown.
 */
export function formsOfWord(word: Uint8Array): Form[] {
  const reversed = encode(reverse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(word)));
  return [
    ...formsOf(word),
    ...[Uint8Array.from(word), reversed].map((bytes) => ({ ...whole(bytes, true), isWord: true })),
  ];
}

const encode = (text: string): Uint8Array => utf8.encode(text);

const whole = (bytes: Uint8Array, isGrouped = false): Form => ({
  bytes,
  isBase64: false,
  before: 0,
  after: 0,
  isGrouped,
});

/** Returns the byte strings that may then be written in hex or base64. */
function writtenOf(secret: Uint8Array, text: string, reversed: string): Uint8Array[] {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const others = [encodeUri(text), JSON.stringify(text).slice(1, -1), escapeHtml(text), reversed];
  const composed = [text.normalize('NFC'), text.normalize('NFD'), text.normalize('NFKC')];
  return [Uint8Array.from(secret), ...[...others, ...composed].map(encode), ...latin1(points)];
}

const encodedForms = (bytes: Uint8Array): Form[] => [
  whole(encode(hexOf(bytes)), true),
  ...base64Forms(bytes),
];

/** UTF-16, in both orders of bytes. */
function wideOf(text: string): Uint8Array[] {
  const [little, big] = [new Uint8Array(text.length * 2), new Uint8Array(text.length * 2)];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    [little[2 * i], little[2 * i + 1]] = [unit & 0xff, unit >> 8];
    [big[2 * i], big[2 * i + 1]] = [unit >> 8, unit & 0xff];
  }
  return [little, big];
}

/** An encoding in an encoding, and encodings that are read from their end. */
function nestedForms(secret: Uint8Array, text: string): Form[] {
  const hex = hexOf(secret);
  const inner = [secret, encode(encodeUri(text))].flatMap(base64Texts).map(encode);
  const backwards = [hex, base64Of(secret), base64Of(secret).replaceAll('=', '')].map(reverse);
  return [
    ...inner.flatMap(encodedForms),
    ...[hex, hex.toUpperCase()].flatMap((one) => encodedForms(encode(one))),
    whole(encode(backwards[0] ?? ''), true),
    ...backwards.slice(1).map((one): Form => ({ ...whole(encode(one)), isBase64: true })),
  ];
}

const reverse = (text: string): string => Array.from(text).reverse().join('');

/**
 * Returns the secret as mojibake: UTF-8 read as latin-1 or windows-1252, or reduced to ASCII. Empty if the
 * text is ASCII.
 */
function lossyOf(text: string): Uint8Array[] {
  const written = encode(text.normalize('NFC'));
  if (written.every((byte) => byte < 0x80)) return [];
  const ascii = written.filter((byte) => byte < 0x80);
  return [...['latin1', 'windows-1252'].map((one) => encode(readAs(written, one))), ascii];
}

const readAs = (bytes: Uint8Array, charset: string): string =>
  charset === 'latin1' ? bufferOf(bytes).toString('latin1') : new TextDecoder(charset).decode(bytes);

/** Returns whether it has so many letters and digits that these alone say it. */
const isLong = (bytes: Uint8Array): boolean =>
  withoutSigns(skeletonOf(viewOf(bytes))).bytes.length >= minAlone;
const minAlone = 8;

/** Number signs beside letters, as of cards, accounts and telephones: written in groups. */
function isNumber(bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(withoutSigns(skeletonOf(viewOf(bytes))).bytes);
  const count = text.replaceAll(/\D/g, '').length;
  return count >= minGrouped && count * 2 >= text.length && /^[a-z0-9]*$/i.test(text);
}

/** Fewer digits stand beside each other in any table. */
const minGrouped = 6;

/** A line of a key in PEM says enough alone. */
const longLines = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => line.length >= 24 && !line.startsWith('-----'));

/** Like `encodeURIComponent`, which throws at lone surrogates. */
const encodeUri = (text: string): string => encodeURIComponent(text.toWellFormed());

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Returns the text in latin-1; empty if latin-1 cannot express it, or if it equals the UTF-8. */
const latin1 = (points: readonly number[]): Uint8Array[] =>
  points.every((point) => point < 0x100) && points.some((point) => point > 0x7f)
    ? [Uint8Array.from(points)]
    : [];

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length);
const hexOf = (bytes: Uint8Array): string => bufferOf(bytes).toString('hex');
const base64Of = (bytes: Uint8Array): string => bufferOf(bytes).toString('base64');

/** Encodes at each of the three offsets that base64 allows, without the characters that depend on neighbouring bytes. */
function base64Forms(bytes: Uint8Array): Form[] {
  return [0, 1, 2].map((offset) => ({
    bytes: encode(ownBase64(bytes, offset)),
    isBase64: true,
    before: offset === 0 ? 0 : 1,
    after: ((offset + bytes.length) * 8) % 6 === 0 ? 0 : 1,
    isGrouped: false,
  }));
}

function ownBase64(bytes: Uint8Array, offset: number): string {
  const shifted = new Uint8Array(offset + bytes.length);
  shifted.set(bytes, offset);
  return base64Of(shifted).slice(Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6));
}

/** All that a second encoding may be given of the first: at each place, in both alphabets. */
function base64Texts(bytes: Uint8Array): string[] {
  const texts = [0, 1, 2].map((offset) => ownBase64(bytes, offset));
  return [...new Set([base64Of(bytes), ...texts].flatMap((text) => [text, urlSafe(text)]))];
}

const urlSafe = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');

const base32Alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Encodes at each of the five offsets that base32 (RFC 4648) allows, without the characters that depend on neighbouring bytes. */
function base32Forms(secret: Uint8Array): string[] {
  return [0, 1, 2, 3, 4].map((offset) => {
    const first = Math.ceil((offset * 8) / 5);
    const last = Math.floor(((offset + secret.length) * 8) / 5);
    return Array.from({ length: last - first }, (_, i) =>
      base32Alphabet.charAt(fiveBitsAt(secret, (first + i) * 5 - offset * 8)),
    ).join('');
  });
}

function fiveBitsAt(bytes: Uint8Array, bit: number): number {
  const at = bit >> 3;
  const two = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  return (two >> (11 - (bit & 7))) & 31;
}

function unique(forms: readonly Form[]): Form[] {
  const seen = new Map(
    forms.map((form) => [`${form.isBase64} ${form.isGrouped} ${hexOf(form.bytes)}`, form]),
  );
  return [...seen.values()];
}
