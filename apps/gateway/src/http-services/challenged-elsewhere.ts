import { createHash } from 'node:crypto';
import type { PaymentChallenge } from '@countersign/protocol/gateway/payment-challenge';
import type { Misleading } from '../rules/call-outcome.ts';
import { headerOf, isOurs, readChallenged } from '../rules/charge.ts';
import type { CredentialSetting } from './settings.ts';

type Called = {
  /** The one that was called, and those under which the owner lets it ask. */
  readonly hosts: readonly string[];
  /** The body that was sent. */
  readonly body: string | null;
  /** The vault credential in these headers; null if the service is called without one. */
  readonly credential: Pick<CredentialSetting, 'headers'> | null;
};

/**
 * Why challenges are not for what was called; null where they are, or there are none. A relay could show those of another
 * merchant, pass the payment on and take the goods: so their realm is the host, with its port or without, and a digest is
 * that of the body that was sent.
 */
export function whyNotOurs(requirement: unknown, called: Called): Misleading | null {
  const asked = readChallenged(requirement);
  if (asked === null) return null;
  for (const challenge of asked.challenges) {
    if (!isOurs(challenge)) continue;
    if (!isRealmOf(challenge, called.hosts)) return 'another-realm';
    if (!isDigestOf(challenge, called.body)) return 'another-request';
    if (isTaken(challenge, called)) return 'header-taken';
  }
  return null;
}

const isRealmOf = ({ realm }: PaymentChallenge, hosts: readonly string[]): boolean =>
  hosts.some((host) => realm === host || realm === new URL(`http://${host}`).hostname);

/** Beside a credential of the vault, the enclave sends no `authorization` but the credential's own. */
function isTaken(challenge: PaymentChallenge, { credential }: Called): boolean {
  if (credential === null) return false;
  const header = headerOf(challenge);
  const isOf = (name: string): boolean => name.toLowerCase() === header;
  return header === 'authorization' || Object.keys(credential.headers).some(isOf);
}

/** RFC 9530 has colons around the base64, the first servers have none. */
function isDigestOf({ digest }: PaymentChallenge, body: string | null): boolean {
  if (digest === undefined) return true;
  const ours = createHash('sha256')
    .update(body ?? '')
    .digest('base64');
  return digest === `sha-256=${ours}` || digest === `sha-256=:${ours}:`;
}
