import { ownBuffer } from '../cdp/messages.ts';

/** Encodings from bytes to bytes, so that a secret never becomes text. Whoever asks for one wipes it. */
export type Encoding = (bytes: Buffer) => Buffer;

const hexDigits = Buffer.from('0123456789ABCDEF');
const base64Signs = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');

export const plain: Encoding = (bytes) => {
  const copy = ownBuffer(bytes.length);
  copy.set(bytes);
  return copy;
};

const shortEscapes = new Map(
  Object.entries({ '"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }).map(
    ([sign, escape]) => [sign.charCodeAt(0), escape.charCodeAt(0)],
  ),
);

/** Inside a JSON string (RFC 8259, 7), as `JSON.stringify` writes it. */
export const jsonString: Encoding = (bytes) =>
  each(bytes, (byte, write) => {
    const short = shortEscapes.get(byte);
    if (short !== undefined) write(0x5c, short);
    else if (byte < 0x20) write(0x5c, 0x75, 0x30, 0x30, hex(byte >> 4), hex(byte & 15));
    else write(byte);
  });

/** As a browser sends a form (WHATWG URL, application/x-www-form-urlencoded). */
export const formUrl: Encoding = (bytes) =>
  each(bytes, (byte, write) => {
    if (byte === 0x20) write(0x2b);
    else if (isAlphanumeric(byte) || [0x2a, 0x2d, 0x2e, 0x5f].includes(byte)) write(byte);
    else write(0x25, hex(byte >> 4), hex(byte & 15));
  });

/** As `encodeURIComponent` does. */
export const uriComponent: Encoding = (bytes) =>
  each(bytes, (byte, write) => {
    if (isAlphanumeric(byte) || [...Buffer.from("-_.!~*'()")].includes(byte)) write(byte);
    else write(0x25, hex(byte >> 4), hex(byte & 15));
  });

const references: Readonly<Record<number, string>> = {
  0x26: '&amp;',
  0x3c: '&lt;',
  0x3e: '&gt;',
  0x22: '&quot;',
  0x27: '&#39;',
};

export const htmlText: Encoding = (bytes) =>
  each(bytes, (byte, write) => write(...(byte in references ? Buffer.from(references[byte] ?? '') : [byte])));

/** RFC 4648, 4. */
export const base64: Encoding = (bytes) => {
  const out = ownBuffer(Math.ceil(bytes.length / 3) * 4);
  for (let i = 0, at = 0; i < bytes.length; i += 3, at += 4) {
    const bits = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let k = 0; k < 4; k++)
      out[at + k] = i + k > bytes.length ? 0x3d : (base64Signs[(bits >> (18 - 6 * k)) & 63] ?? 0);
  }
  return out;
};

const values = new Int16Array(256).fill(-1);
for (const [value, sign] of base64Signs.entries()) values[sign] = value;

/** The bytes that a base64 stands for; what is no sign of it is passed over. */
export function fromBase64(text: Buffer): Buffer {
  const out = ownBuffer(Math.floor((text.length * 3) / 4));
  let [bits, held, at] = [0, 0, 0];
  for (const sign of text) {
    const value = values[sign] ?? -1;
    if (value === -1) continue;
    bits = ((bits << 6) | value) & 0xff_ffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      out[at++] = (bits >> held) & 0xff;
    }
  }
  return out.subarray(0, at);
}

const hex = (value: number): number => hexDigits[value] ?? 0;

const isAlphanumeric = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);

/** No encoding makes more than six bytes of one. */
function each(bytes: Buffer, encode: (byte: number, write: (...out: number[]) => void) => void): Buffer {
  const out = ownBuffer(bytes.length * 6);
  let at = 0;
  const write = (...encoded: number[]): void => {
    for (const byte of encoded) out[at++] = byte;
  };
  for (const byte of bytes) encode(byte, write);
  return out.subarray(0, at);
}
