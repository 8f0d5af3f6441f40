import { hash, type KeyObject } from 'node:crypto';
import { type ActionClaims, actionClaims } from '@countersign/protocol/control/execution';
import { publicKeyOf, rawPublicKey, type Signer, signedBy } from './keys.ts';
import { signPublic, verifyPublic } from './paseto-public.ts';

/** Says of a request what it does and under which policy (PASETO v4.public), for services that ask nobody. */
export const signStatement = (claims: ActionClaims, signer: Signer): string =>
  signPublic(signer.sign, Buffer.from(JSON.stringify(claims)));

/**
 * Returns the claims of a statement signed by this key, without checking its times; null for any other text.
 */
export function readStatement(text: string, key: KeyObject): ActionClaims | null {
  const read = verifyPublic(key, text);
  if (read === null) return null;
  try {
    return actionClaims.safeParse(JSON.parse(read.payload.toString())).data ?? null;
  } catch {
    return null;
  }
}

const prefix = 'k4.public.';

/** An Ed25519 key as PASERK writes it. */
export const actionKeyText = (key: KeyObject): string => prefix + rawPublicKey(key).toString('base64url');

/** Reads what `actionKeyText` gives; null for anything else. */
export function readActionKey(text: string): KeyObject | null {
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
  const key = publicKeyOf(bytes);
  return key !== null && actionKeyText(key) === text ? key : null;
}

/** The audit key's word that statements are signed with this key. */
export const endorse = (publicKey: string, audit: Signer): string =>
  audit.sign(digestOf(publicKey)).toString('base64');

export const isEndorsed = (publicKey: string, signature: string, auditKey: KeyObject): boolean =>
  signedBy(auditKey, digestOf(publicKey), signature);

const digestOf = (publicKey: string): Buffer =>
  hash('sha256', `countersign-action-key-v1${publicKey}`, 'buffer');
