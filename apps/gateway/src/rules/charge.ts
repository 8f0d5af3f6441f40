import { type Address, parseAddress, sameAddress } from '@countersign/protocol/address';
import {
  type Challenged,
  challenged,
  evmCharge,
  type PaymentChallenge,
} from '@countersign/protocol/gateway/payment-challenge';
import { chainIdOf, firstEntry, paymentRequired } from '@countersign/protocol/gateway/x402';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { keccak256 } from '@countersign/service/ethereum/keccak';
import canonicalize from 'canonicalize';
import { hasCanonicalForm } from './json-form.ts';

/** An MPP challenge for a payment as we make it: USDC by EIP-3009 on an EVM chain. */
export type Charge = {
  readonly challenge: PaymentChallenge;
  readonly chainId: number;
  readonly asset: Address;
  readonly payTo: Address;
  readonly units: bigint;
  /** The token's decimals, as the service states them; null if it does not. */
  readonly decimals: number | null;
  /** From its receipt to its end. */
  readonly seconds: number;
};

export type ChargeRefusal = {
  readonly code: 'PAYMENT_REQUIREMENT_INVALID' | 'PAYMENT_UNSUPPORTED';
  readonly why: string;
};

/** A service that asks by challenges, as the transport keeps it; null for a price of x402, or none. */
export function readChallenged(received: unknown): Challenged | null {
  const parsed = challenged.safeParse(received);
  return parsed.success ? parsed.data : null;
}

/**
 * The one charge among the challenges. Those of other methods are for other wallets; of two for ours nobody could say which is
 * the price.
 */
export function readCharge({ challenges, receivedAt }: Challenged): Result<Charge, ChargeRefusal> {
  const [challenge, another] = challenges.filter(isOurs);
  if (challenge === undefined) return unsupported('it asks for no charge by the method "evm"');
  if (another !== undefined) return unsupported('it asks for several charges by the method "evm"');
  return chargeIn(challenge, Date.parse(receivedAt));
}

/** The challenges that may be paid here; all others are for other wallets. */
export const isOurs = ({ method, intent }: PaymentChallenge): boolean =>
  method === 'evm' && intent === 'charge';

/** An honest request is two levels deep. */
const maxDepth = 8;

function chargeIn(challenge: PaymentChallenge, receivedAt: number): Result<Charge, ChargeRefusal> {
  const request = requestOf(challenge);
  if (request === null) return invalid('the request of the challenge is malformed');
  const payTo = parseAddress(request.recipient);
  const asset = parseAddress(request.currency);
  if (payTo === null || asset === null) return invalid('recipient or currency is not an address');
  const end = endOf(challenge);
  if (end === null) return invalid('the challenge has no end');
  const { credentialTypes, splits, chainId, decimals } = request.methodDetails;
  if (credentialTypes?.includes('authorization') !== true)
    return unsupported('the service takes no EIP-3009 authorization');
  if (splits !== undefined) return unsupported('the amount is split among several payees');
  if (headerOf(challenge) === null)
    return unsupported('it wants its payment in a header that is none for it');
  return ok({
    challenge,
    chainId,
    asset,
    payTo,
    units: BigInt(request.amount),
    decimals: decimals ?? null,
    seconds: Math.floor((end - receivedAt) / 1000),
  });
}

/** Null unless it is RFC 8785, as the scheme demands: what has one form has one meaning. */
function requestOf({ request }: PaymentChallenge) {
  const text = Buffer.from(request, 'base64url').toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (!hasCanonicalForm(value, maxDepth) || canonicalize(value) !== text) return null;
    const parsed = evmCharge.safeParse(value);
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Unix ms; null where there is none that is a time (RFC 3339). */
function endOf({ expires }: PaymentChallenge): number | null {
  const isTime =
    expires !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(expires);
  const end = isTime ? Date.parse(expires) : Number.NaN;
  return Number.isNaN(end) ? null : end;
}

/** Unix seconds at which a challenge that was read ends. */
export const endsAt = (challenge: PaymentChallenge): number => Math.floor((endOf(challenge) ?? 0) / 1000);

/** The header that the payment goes in, of the two that are for it; null for any other. */
export function headerOf({ header }: PaymentChallenge): 'authorization' | 'payment-authorization' | null {
  const name = (header ?? 'authorization').toLowerCase();
  return name === 'authorization' || name === 'payment-authorization' ? name : null;
}

/** The nonce of the authorization that answers a challenge (draft-evm-charge): the service tells by it what was paid for. */
export const challengeNonce = ({ id, realm }: PaymentChallenge): `0x${string}` =>
  `0x${Buffer.from(keccak256(id + realm)).toString('hex')}`;

/**
 * Returns whether the charges beside a price of x402 that we could pay are that price: else nobody could say
 * which it is.
 */
export function saysTheSame(requirement: unknown, { challenges, receivedAt }: Challenged): boolean {
  const parsed = paymentRequired.safeParse(requirement);
  if (!parsed.success) return false;
  const { x402Version } = parsed.data;
  const { network, asset, payTo, units } = firstEntry(parsed.data);
  const isPrice = (charge: Charge): boolean =>
    charge.chainId === chainIdOf(x402Version, network) &&
    sameAddress(charge.asset, asset) &&
    sameAddress(charge.payTo, payTo) &&
    charge.units === units;
  return challenges.filter(isOurs).every((challenge) => {
    const read = chargeIn(challenge, Date.parse(receivedAt));
    return !read.ok || isPrice(read.value);
  });
}

const invalid = (why: string) => fail<ChargeRefusal>({ code: 'PAYMENT_REQUIREMENT_INVALID', why });
const unsupported = (why: string) => fail<ChargeRefusal>({ code: 'PAYMENT_UNSUPPORTED', why });
