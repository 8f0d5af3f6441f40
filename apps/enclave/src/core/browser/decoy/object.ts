import { outlineOf } from '../../credential/json-outline.ts';
import { ownBuffer } from '../cdp/messages.ts';
import { newDecoy, type RandomBytes } from './shape.ts';

/**
 * What stands in place of a secret that is a JSON object: an object of the same outline, with fresh texts and numbers under
 * the same names, without white space, so that a page that reads and writes it again writes the same. Null for what is none.
 */
export function newObjectDecoy(secret: Buffer, random: RandomBytes): string | null {
  if (outlineOf(secret) === null) return null;
  let decoy = '';
  for (let at = 0; at < secret.length; ) {
    const end = tokenEnd(secret, at);
    const token = secret.subarray(at, end);
    const first = token[0] ?? 0;
    if (first === quote) decoy += isName(secret, end) ? token.toString() : `"${textDecoy(token, random)}"`;
    else if (isOfNumber(first)) decoy += numberDecoy(token, random);
    else if (!blanks.has(first)) decoy += token.toString();
    at = end;
  }
  return decoy;
}

const code = (sign: string): number => sign.charCodeAt(0);
const [quote, backslash, colon] = [code('"'), code('\\'), code(':')];
const blanks = new Set(Buffer.from(' \t\n\r'));
const isOfNumber = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || byte === code('-');

/** Gives where the token ends; the text must be valid JSON. */
function tokenEnd(json: Buffer, from: number): number {
  let at = from + 1;
  if (json[from] === quote) {
    while (json[at] !== quote) at += json[at] === backslash ? 2 : 1;
    return at + 1;
  }
  if (isOfNumber(json[from] ?? 0))
    while (at < json.length && /[\d.eE+-]/.test(String.fromCharCode(json[at] ?? 0))) at++;
  return at;
}

function isName(json: Buffer, end: number): boolean {
  let at = end;
  while (blanks.has(json[at] ?? 0)) at++;
  return json[at] === colon;
}

/** Each escape counts as one sign, and what is not ASCII as letters: every page can write those. */
function textDecoy(token: Buffer, random: RandomBytes): string {
  const plain = ownBuffer(token.length);
  let length = 0;
  for (let at = 1; at < token.length - 1; length++) {
    const isEscape = token[at] === backslash;
    const byte = token[at] ?? 0;
    plain[length] = isEscape || byte >= 0x80 ? code('x') : byte;
    at += isEscape ? (token[at + 1] === code('u') ? 6 : 2) : 1;
  }
  const text = plain.subarray(0, length);
  const decoy = newDecoy(text, random) ?? text.toString();
  plain.fill(0);
  return decoy;
}

/** More digits are not kept by every reader of JSON. */
const maxDigits = 15;

function numberDecoy(token: Buffer, random: RandomBytes): string {
  const whole = token.subarray(token[0] === code('-') ? 1 : 0).subarray(0, maxDigits);
  const digits = whole.subarray(0, whole.findIndex((byte) => byte < 0x30 || byte > 0x39) >>> 0);
  return (newDecoy(digits, random) ?? '1').replace(/^0/, '1');
}
