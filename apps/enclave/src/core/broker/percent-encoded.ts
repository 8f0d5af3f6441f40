import { ownCopy } from '../credential/field.ts';

const hex = Buffer.from('0123456789ABCDEF');
const unreserved = new Set(Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'));

/** RFC 3986, 2.1, of all but what it never needs (2.3). No text is made of it, which could not be wiped. */
export function percentEncoded(bytes: Buffer): Buffer {
  const out = [...bytes].flatMap((byte) =>
    unreserved.has(byte) ? [byte] : [0x25, hex[byte >> 4] ?? 0, hex[byte & 15] ?? 0],
  );
  const encoded = ownCopy(Uint8Array.from(out));
  out.fill(0);
  return encoded;
}
