import { createPublicKey, hash, verify } from 'node:crypto';
import { z } from 'zod';
import { addressOfPublicKey, recoverSigner } from './signature.ts';

/** A JWS in compact form (RFC 7515) whose payload was read, not yet believed. */
export type Jws = {
  readonly payload: unknown;
  readonly alg: 'ES256K' | 'EdDSA';
  /** The signed bytes. */
  readonly input: string;
  readonly signature: Uint8Array;
  /** The key that the header shows; it says who holds it and never who may sign. */
  readonly jwk: z.infer<typeof jwk> | null;
};

const coordinate = z.string().max(64);
const jwk = z.looseObject({ crv: z.string().max(16), x: coordinate, y: coordinate.optional() });

/** `crit` names what a reader must understand: we understand nothing beyond the registered fields. */
const header = z.looseObject({
  alg: z.enum(['ES256K', 'EdDSA']),
  kid: z.string().min(1).max(2048),
  jwk: jwk.optional(),
  crit: z.undefined().optional(),
  b64: z.undefined().optional(),
});

/** Null for what is no JWS of these two algorithms, 64 bytes of signature, and a payload of JSON. */
export function readJws(text: string): Jws | null {
  const parts = text.split('.', 4);
  const [head, body, tail] = parts.map(fromBase64Url);
  if (parts.length !== 3 || !head || !body || tail?.length !== 64) return null;
  const read = header.safeParse(parseJson(head));
  const payload = parseJson(body);
  if (!read.success || payload === undefined) return null;
  const { alg, jwk: shown = null } = read.data;
  return { payload, alg, input: text.slice(0, text.lastIndexOf('.')), signature: tail, jwk: shown };
}

/** Decodes canonical base64url without padding; null for any other text. */
function fromBase64Url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * The two addresses of which one has signed, if it was a key of secp256k1: ES256K names no recovery bit. Unlike a wallet's,
 * its `s` may be high (RFC 8812).
 */
export function es256kSigners({ alg, input, signature, jwk: shown }: Jws): readonly string[] {
  if (alg !== 'ES256K') return [];
  const digest = hash('sha256', input, 'buffer');
  const s = BigInt(`0x${hexOf(signature.subarray(32))}`);
  if (s >= order) return [];
  const low = s > order / 2n ? order - s : s;
  const rs = `0x${hexOf(signature.subarray(0, 32))}${low.toString(16).padStart(64, '0')}`;
  return ['1b', '1c'].flatMap((v) => {
    const signer = recoverSigner(digest, rs + v);
    return signer !== null && (shown === null || addressOfJwk(shown) === signer.address)
      ? [signer.address]
      : [];
  });
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function addressOfJwk({ crv, x, y = '' }: NonNullable<Jws['jwk']>): string | null {
  const point = [x, y].map((text) => hexOf(Buffer.from(text, 'base64url'))).join('');
  return crv === 'secp256k1' ? addressOfPublicKey(`0x04${point}`) : null;
}

/** The DER prefix of an Ed25519 public key's SPKI form, before its 32 bytes (RFC 8410). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Returns whether this Ed25519 key (32 bytes, hex) has signed, and is the one that the header shows, if it
 * shows one.
 */
export function ed25519Signed({ alg, input, signature, jwk: shown }: Jws, publicKey: string): boolean {
  if (alg !== 'EdDSA') return false;
  const raw = Buffer.from(publicKey, 'hex');
  if (shown !== null && (shown.crv !== 'Ed25519' || shown.x !== raw.toString('base64url'))) return false;
  const key = createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(input), key, signature);
}
