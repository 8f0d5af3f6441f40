import { type KeyObject, verify } from 'node:crypto';

/** PASETO v4.public (paseto-standard/paseto-spec, Version4): a payload that all may read, with Ed25519 over it. */

const header = 'v4.public.';
const signatureBytes = 64;

/** A payload with its signature; `signed` gives the 64 bytes of Ed25519. */
export function signPublic(
  signed: (bytes: Uint8Array) => Uint8Array,
  payload: Uint8Array,
  footer: Uint8Array = new Uint8Array(),
): string {
  const body = base64url(Buffer.concat([payload, signed(authenticated(payload, footer))]));
  return footer.length === 0 ? header + body : `${header}${body}.${base64url(footer)}`;
}

/** The payload of a token and its footer, which may be empty; null for whatever this key did not sign. */
export function verifyPublic(
  key: KeyObject,
  token: string,
): { readonly payload: Buffer; readonly footer: Buffer } | null {
  const parts = /^v4\.public\.([\w-]+)(?:\.([\w-]+))?$/.exec(token);
  const [body, footer] = [strictBase64(parts?.[1] ?? ''), strictBase64(parts?.[2] ?? '')];
  if (body === null || footer === null || body.length < signatureBytes) return null;
  const [payload, signature] = [body.subarray(0, -signatureBytes), body.subarray(-signatureBytes)];
  return verify(null, authenticated(payload, footer), key, signature) ? { payload, footer } : null;
}

/** PAE of header, payload, footer and no implicit assertion: how many pieces, then each with its length before it (64 bits, little endian). */
function authenticated(payload: Uint8Array, footer: Uint8Array): Buffer {
  const pieces = [Buffer.from(header), payload, footer, Buffer.alloc(0)];
  return Buffer.concat([uint64(pieces.length), ...pieces.flatMap((piece) => [uint64(piece.length), piece])]);
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(value, 0);
  return bytes;
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** Unpadded base64url in its one spelling: otherwise one token could be written in several ways. */
function strictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}
