import { memberSpan } from './json-outline.ts';

/**
 * What a placeholder stands for, as UTF-8: of a text what it says, of a number its digits, of an object its JSON as it was
 * written. No part of it becomes a string that cannot be wiped. Null when the plaintext has no such field. The caller wipes it.
 */
export function fieldBytes(plaintext: Uint8Array, name: string): Buffer | null {
  const span = memberSpan(plaintext, name);
  if (span === null) return null;
  const value = plaintext.subarray(span.start, span.end);
  return value[0] === quote ? unescaped(value.subarray(1, -1)) : ownCopy(value);
}

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, letterU] = [code('"'), code('\\'), code('u')];
const escapes = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(([sign, meant]) => [
    code(sign),
    code(meant),
  ]),
);

/** Memory that nobody shares and the collector never moves. */
export function ownCopy(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(new ArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

/**
 * Decodes the inside of a JSON string that is known to be well-formed. The result is never longer than the
 * input.
 */
function unescaped(text: Uint8Array): Buffer {
  const meant = Buffer.from(new ArrayBuffer(text.length));
  let length = 0;
  for (let at = 0; at < text.length; ) {
    const byte = text[at] ?? 0;
    if (byte !== backslash) {
      meant[length++] = byte;
      at += 1;
      continue;
    }
    const sign = text[at + 1] ?? 0;
    if (sign !== letterU) {
      meant[length++] = escapes.get(sign) ?? sign;
      at += 2;
      continue;
    }
    const { point, units } = pointAt(text, at);
    length += writePoint(meant, length, point);
    at += units * 6;
  }
  return meant.subarray(0, length);
}

/**
 * Returns the code point of one `\uXXXX`, or of two that form a surrogate pair. A lone surrogate has no UTF-8
 * encoding.
 */
function pointAt(text: Uint8Array, at: number): { point: number; units: 1 | 2 } {
  const first = unitAt(text, at);
  if (first < 0xd800 || first > 0xdfff) return { point: first, units: 1 };
  const second = text[at + 6] === backslash && text[at + 7] === letterU ? unitAt(text, at + 6) : 0;
  const isPair = first < 0xdc00 && second >= 0xdc00 && second <= 0xdfff;
  return isPair
    ? { point: 0x1_0000 + (first - 0xd800) * 0x400 + (second - 0xdc00), units: 2 }
    : { point: 0xfffd, units: 1 };
}

function unitAt(text: Uint8Array, at: number): number {
  let unit = 0;
  for (let i = at + 2; i < at + 6; i++) unit = unit * 16 + hexDigit(text[i] ?? 0);
  return unit;
}

const hexDigit = (byte: number): number =>
  byte <= code('9') ? byte - code('0') : (byte | 0x20) - code('a') + 10;

/** Gives how many bytes it took. */
function writePoint(into: Buffer, at: number, point: number): number {
  if (point < 0x80) return into.writeUInt8(point, at) - at;
  const more = point < 0x800 ? 1 : point < 0x1_0000 ? 2 : 3;
  into[at] = ((0xf0 << (3 - more)) & 0xff) | (point >> (6 * more));
  for (let i = 1; i <= more; i++) into[at + i] = 0x80 | ((point >> (6 * (more - i))) & 0x3f);
  return more + 1;
}
