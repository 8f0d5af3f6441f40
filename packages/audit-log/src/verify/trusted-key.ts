import type { KeyObject } from 'node:crypto';
import { readPublicKey } from '../keys.ts';
import { readVerifierKey } from '../signed-note.ts';
import { fails, type Report } from './report.ts';

/** A key that the caller believes in; `log` is the name of the log that it was given for, null for a bare key. */
export type TrustedKey = { readonly publicKey: KeyObject; readonly log: string | null };

/** Reads 32 bytes in base64, or a verifier key of C2SP (`name+id+base64`, c2sp.org/signed-note); null for anything else. */
export function readTrustedKey(text: string): TrustedKey | null {
  const note = readVerifierKey(text);
  if (note !== null) return { publicKey: note.publicKey, log: note.name };
  const publicKey = readPublicKey(text);
  return publicKey === null ? null : { publicKey, log: null };
}

/** A verifier key is good for the log that it names, and for no other. */
export function ofNamedLogs(report: Report, keys: readonly TrustedKey[]): Report {
  const names = keys.flatMap(({ log }) => log ?? []);
  const { origin } = report.head ?? {};
  if (origin === undefined || names.length < keys.length || names.length === 0 || names.includes(origin))
    return report;
  const what = `this is of the log ${origin}, and the key you gave is of ${names.join(', ')}`;
  return { ...report, steps: [...report.steps, fails(what)] };
}
