import { type Address, parseAddress } from '@countersign/protocol/address';
import { createSiweMessage, parseSiweMessage, type SiweMessage } from 'viem/siwe';
import { isUrl } from '@countersign/protocol/url';

export type LoginMessage = Omit<SiweMessage, 'address' | 'issuedAt'> & {
  readonly address: Address;
  readonly issuedAt: Date;
};

/** What a sign-in message must contain to be accepted. */
export type LoginRules = { readonly origins: readonly string[]; readonly chainId: number };

/**
 * Reads an EIP-4361 message in canonical form: null unless it renders again to the very same text. That refuses
 * text before or after it, a wallet in the wrong case, and whatever else a lenient parser would pass over.
 */
export function readLoginMessage(text: string): LoginMessage | null {
  try {
    const fields = parseSiweMessage(text) as SiweMessage;
    const address = parseAddress(fields.address);
    const { issuedAt } = fields;
    if (address === null || issuedAt === undefined || createSiweMessage(fields) !== text) return null;
    return { ...fields, address, issuedAt };
  } catch {
    return null;
  }
}

const minute = 60_000;
const maxAgeMs = 10 * minute;
const maxLifeMs = 24 * 60 * minute;
/** How far a wallet's clock may be ahead of ours, in milliseconds. */
const clockSkewMs = minute;

/** Why this message may not log anyone in here and now, or null. The nonce is the store's matter. */
export function whyNotAcceptable(message: LoginMessage, rules: LoginRules, now: Date): string | null {
  if (!isOurs(message, rules.origins)) return 'the message is for another site';
  if (message.chainId !== rules.chainId) return `the message must name chain ${rules.chainId}`;
  return whyNotNow(message, now.getTime());
}

function whyNotNow({ issuedAt, notBefore, expirationTime }: LoginMessage, now: number): string | null {
  const age = now - issuedAt.getTime();
  if (age > maxAgeMs) return 'the message is older than 10 minutes';
  if (age < -clockSkewMs) return 'the message is from the future';
  if (notBefore !== undefined && notBefore.getTime() > now) return 'the message is not valid yet';
  if (expirationTime === undefined) return null;
  if (expirationTime.getTime() <= now) return 'the message has expired';
  return expirationTime.getTime() > now + maxLifeMs ? 'the message expires more than 24 hours ahead' : null;
}

function isOurs({ scheme, domain, uri }: LoginMessage, origins: readonly string[]): boolean {
  if (!origins.includes(originOf(uri))) return false;
  return origins.some((origin) => {
    const { protocol, host } = new URL(origin);
    return host === domain && (scheme === undefined || `${scheme}:` === protocol);
  });
}

const originOf = (uri: string): string => (isUrl(uri) ? new URL(uri).origin : '');
