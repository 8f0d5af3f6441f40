import type { KeyObject } from 'node:crypto';
import { readPublicKey } from '../keys.ts';
import { readVerifierKey } from '../signed-note.ts';

/** A key that the caller believes in; `log` is the name of the log that it was given for, null for a bare key. */
export type TrustedKey = { readonly publicKey: KeyObject; readonly log: string | null };

/** Reads 32 bytes in base64, or a verifier key of C2SP (`name+id+base64`, c2sp.org/signed-note); null for anything else. */
export function readTrustedKey(text: string): TrustedKey | null {
  const note = readVerifierKey(text);
  if (note !== null) return { publicKey: note.publicKey, log: note.name };
  const publicKey = readPublicKey(text);
  return publicKey === null ? null : { publicKey, log: null };
}

/** Those of the keys that are good for a log of this name: bare ones, and those that name it. */
export const keysOfLog = (keys: readonly TrustedKey[], origin: string): readonly TrustedKey[] =>
  keys.filter(({ log }) => log === null || log === origin);
