import { crypto_generichash, crypto_stream_xchacha20_xor, sodium_memcmp } from 'sodium-native';

/**
 * PASETO v4.local (paseto-standard/paseto-spec, Version4): XChaCha20 under a key of this token alone, BLAKE2b over
 * everything, also over what both sides know and nobody sends (`assertion`).
 */

const header = 'v4.local.';
const nonceBytes = 32;
const tagBytes = 32;
const empty = Buffer.alloc(0);

/** Data to which a token is bound in addition to its payload. */
export type Bound = { readonly footer?: Uint8Array; readonly assertion?: Uint8Array };

/** Encrypts a payload. `nonce` is 32 random bytes, never used before. */
export function encrypt(
  key: Uint8Array,
  payload: Uint8Array,
  nonce: Uint8Array,
  { footer = empty, assertion = empty }: Bound = {},
): string {
  const { cipherKey, cipherNonce, tagKey } = keysFor(key, nonce);
  const ciphertext = Buffer.alloc(payload.length);
  crypto_stream_xchacha20_xor(ciphertext, payload, cipherNonce, cipherKey);
  const tag = tagOf(tagKey, [nonce, ciphertext, footer, assertion]);
  const body = Buffer.concat([nonce, ciphertext, tag]).toString('base64url');
  return footer.length === 0
    ? header + body
    : `${header}${body}.${Buffer.from(footer).toString('base64url')}`;
}

/** The payload and footer of a token; null for whatever was not made with this key and assertion. */
export function decrypt(
  key: Uint8Array,
  token: string,
  assertion: Uint8Array = empty,
): { readonly payload: Buffer; readonly footer: Buffer } | null {
  const parts = /^v4\.local\.([\w-]+)(?:\.([\w-]+))?$/.exec(token);
  const body = strictBase64(parts?.[1] ?? '');
  const footer = strictBase64(parts?.[2] ?? '');
  if (body === null || footer === null || body.length < nonceBytes + tagBytes) return null;
  const nonce = body.subarray(0, nonceBytes);
  const ciphertext = body.subarray(nonceBytes, -tagBytes);
  const { cipherKey, cipherNonce, tagKey } = keysFor(key, nonce);
  const tag = tagOf(tagKey, [nonce, ciphertext, footer, assertion]);
  if (!sodium_memcmp(tag, body.subarray(-tagBytes))) return null;
  const payload = Buffer.alloc(ciphertext.length);
  crypto_stream_xchacha20_xor(payload, ciphertext, cipherNonce, cipherKey);
  return { payload, footer };
}

const encryptionLabel = Buffer.from('paseto-encryption-key');
const tagLabel = Buffer.from('paseto-auth-key-for-aead');

function keysFor(key: Uint8Array, nonce: Uint8Array) {
  const derived = Buffer.alloc(56);
  crypto_generichash(derived, Buffer.concat([encryptionLabel, nonce]), key);
  const tagKey = Buffer.alloc(32);
  crypto_generichash(tagKey, Buffer.concat([tagLabel, nonce]), key);
  return { cipherKey: derived.subarray(0, 32), cipherNonce: derived.subarray(32), tagKey };
}

function tagOf(key: Uint8Array, pieces: readonly Uint8Array[]): Buffer {
  const tag = Buffer.alloc(tagBytes);
  crypto_generichash(tag, authenticated([Buffer.from(header), ...pieces]), key);
  return tag;
}

/** PAE: how many pieces, then each with its length before it; all numbers are 64 bits, little endian. */
function authenticated(pieces: readonly Uint8Array[]): Buffer {
  const lengthOf = (length: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32LE(length, 0);
    return bytes;
  };
  return Buffer.concat([
    lengthOf(pieces.length),
    ...pieces.flatMap((piece) => [lengthOf(piece.length), piece]),
  ]);
}

/** Unpadded base64url in its one spelling: otherwise one token could be written in several ways. */
function strictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}
