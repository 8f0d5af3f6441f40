import { type Address, parseAddress, sameAddress } from '@countersign/protocol/address';
import { type Amount, formatAmount, fromBaseUnits } from '@countersign/protocol/amount';
import { type FoundCart, findCartMandate } from '@countersign/protocol/gateway/cart-mandate';
import {
  chainIdOf,
  firstEntry,
  type PaymentRequired,
  paymentRequired,
} from '@countersign/protocol/gateway/x402';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { PaymentChallenge } from '@countersign/protocol/gateway/payment-challenge';
import { type Charge, readChallenged, readCharge } from './charge.ts';
import { findOffer, type FoundOffer } from './offer.ts';
import type { PaymentPolicy } from './policy.ts';
import { hasCanonicalForm } from './json-form.ts';
import { findToken, type Token } from './tokens.ts';
import { methodOf, type TransferMethod } from './transfer-method.ts';

/**
 * A service's price for one call: `accepts[0]` or a charge, judged, copied and frozen. INVARIANT: what is
 * checked is what is signed.
 */
export type Demand = {
  readonly x402Version: 1 | 2;
  /** `accepts[0]` as received; a v2 payment echoes it. Of a charge its terms, which are the same in the next challenge. */
  readonly accepted: Readonly<Record<string, unknown>>;
  readonly resource: unknown;
  /** The address of what is paid for, as the requirement has it; null where it names none. */
  readonly resourceUrl: string | null;
  readonly extensions: Readonly<Record<string, unknown>> | null;
  readonly network: string;
  readonly chainId: number;
  readonly token: Token;
  /** Token base units. */
  readonly units: bigint;
  readonly amount: Amount;
  readonly payTo: Address;
  /** How the money moves. For `upto`, the amount is the maximum that may be taken. */
  readonly by: TransferMethod;
  readonly maxTimeoutSeconds: number;
  readonly cart: FoundCart;
  readonly offer: FoundOffer;
  /** MPP: the challenge that the payment answers. Null for x402. */
  readonly challenge: PaymentChallenge | null;
};

export type DemandRefusal = {
  readonly code: 'PAYMENT_REQUIREMENT_INVALID' | 'PAYMENT_UNSUPPORTED' | 'PRICE_ABOVE_MAXIMUM';
  /** The reason, in our own words. */
  readonly why: string;
  /** The requirement, as far as it could be read: another party's text. */
  readonly requirement: Readonly<Record<string, unknown>> | null;
  /** The demand that would be payable at another price. */
  readonly demand?: Demand;
};

/** Holds a price against the agent's own limit, in the unit of the token. */
export function withinMaximum(demand: Demand, maxAmount: Amount | undefined): Result<Demand, DemandRefusal> {
  const { amount, token, accepted } = demand;
  if (maxAmount === undefined || amount <= maxAmount) return ok(demand);
  const why = `it is ${formatAmount(amount)} ${token.symbol}, and maxAmount is ${formatAmount(maxAmount)}`;
  return fail({ code: 'PRICE_ABOVE_MAXIMUM', why, requirement: accepted, demand });
}

/** Who pays, and whose agent that is; null: its own. */
type Paying = { readonly payer: Address; readonly owner: Address | null };

/** Judges a payment requirement before anything is looked up: is it well-formed, and is it one we ever pay? */
export function readDemand(
  received: unknown,
  by: Paying,
  policy: PaymentPolicy,
): Result<Demand, DemandRefusal> {
  // What follows hashes and copies it: neither may overflow or have no form.
  if (!hasCanonicalForm(received, maxDepth)) {
    return refuse(
      'PAYMENT_REQUIREMENT_INVALID',
      'the requirement is nested too deep or has broken text',
      null,
    );
  }
  const asked = readChallenged(received);
  if (asked !== null) {
    const charge = readCharge(asked);
    return charge.ok
      ? demandOfCharge(charge.value, by, policy)
      : refuse(charge.error.code, charge.error.why, null);
  }
  const parsed = paymentRequired.safeParse(received);
  if (!parsed.success) return refuse('PAYMENT_REQUIREMENT_INVALID', 'the requirement is malformed', null);
  const accepted = frozenFirst(received);
  const entry = readEntry(parsed.data);
  if (entry === null)
    return refuse('PAYMENT_REQUIREMENT_INVALID', 'payTo or asset is not an address', accepted);
  const token = findToken(policy.tokens, entry.chainId ?? 0, entry.asset);
  if (token === undefined) return refuse('PAYMENT_UNSUPPORTED', whyNoToken(entry, policy), accepted);
  const extensions = extensionsOf(parsed.data);
  const method = supportedMethod({ ...entry, extensions }, { ...by, token, policy });
  if (!method.ok) return refuse('PAYMENT_UNSUPPORTED', method.error, accepted);

  const { x402Version, network, units, payTo, maxTimeoutSeconds, extra } = entry;
  return ok({
    x402Version,
    accepted,
    resource: x402Version === 2 ? (parsed.data['resource'] ?? undefined) : undefined,
    extensions,
    network,
    chainId: token.chainId,
    token,
    units,
    amount: fromBaseUnits(units, token.decimals),
    payTo,
    by: method.value,
    maxTimeoutSeconds,
    cart: findCartMandate(extra),
    resourceUrl: resourceUrlOf(parsed.data),
    offer: policy.offerSigners === null ? { kind: 'missing' } : offerIn(parsed.data, entry, token),
    challenge: null,
  });
}

/** The same rules as for a price of x402. Neither cart nor offer is ever in one. */
function demandOfCharge(
  { challenge, chainId, asset, payTo, units, decimals, seconds }: Charge,
  by: Paying,
  policy: PaymentPolicy,
): Result<Demand, DemandRefusal> {
  const network = `eip155:${chainId}`;
  const terms = { scheme: 'exact', network, amount: units.toString(), asset, payTo, realm: challenge.realm };
  const accepted = Object.freeze(terms);
  const token = findToken(policy.tokens, chainId, asset);
  const maxTimeoutSeconds = Math.min(seconds, policy.maxValiditySeconds);
  const entry = { x402Version: 2, scheme: 'exact', network, chainId, units, payTo, asset } as const;
  const whole = { ...entry, maxTimeoutSeconds, extra: { ...token?.domain } };
  if (token === undefined) return refuse('PAYMENT_UNSUPPORTED', whyNoToken(whole, policy), accepted);
  if (decimals !== null && decimals !== token.decimals)
    return refuse('PAYMENT_UNSUPPORTED', "the decimals are not the token's", accepted);
  const method = { kind: 'eip3009' } as const;
  const why = unsupported(whole, { ...by, token, policy, method });
  if (why !== null) return refuse('PAYMENT_UNSUPPORTED', why, accepted);
  return ok({
    x402Version: 2,
    accepted,
    resource: undefined,
    resourceUrl: null,
    extensions: null,
    network,
    chainId,
    token,
    units,
    amount: fromBaseUnits(units, token.decimals),
    payTo,
    by: method,
    maxTimeoutSeconds,
    cart: { kind: 'missing' },
    offer: { kind: 'missing' },
    challenge,
  });
}

const resourceUrlOf = (required: PaymentRequired): string | null =>
  (required.x402Version === 2 ? required.resource?.url : required.accepts[0]?.resource) ?? null;

/** Offers stand in `extensions` in both versions. */
const offerIn = (required: PaymentRequired, { scheme, payTo, units }: Entry, token: Token): FoundOffer =>
  findOffer(required['extensions'], {
    resource: resourceUrlOf(required),
    scheme,
    chainId: token.chainId,
    asset: token.address,
    payTo,
    units,
  });

/** An honest requirement is some five levels deep. */
const maxDepth = 32;

type Entry = {
  readonly x402Version: 1 | 2;
  readonly scheme: string;
  readonly network: string;
  readonly chainId: number | null;
  readonly units: bigint;
  readonly payTo: Address;
  readonly asset: Address;
  readonly maxTimeoutSeconds: number;
  readonly extra: Readonly<Record<string, unknown>>;
};

/** Null when its addresses are none. */
function readEntry(required: PaymentRequired): Entry | null {
  const { x402Version } = required;
  const entry = firstEntry(required);
  const payTo = parseAddress(entry.payTo);
  const asset = parseAddress(entry.asset);
  if (payTo === null || asset === null) return null;
  const { scheme, network, units, maxTimeoutSeconds, extra } = entry;
  const chainId = chainIdOf(x402Version, network);
  return {
    x402Version,
    scheme,
    network,
    chainId,
    units,
    payTo,
    asset,
    maxTimeoutSeconds,
    extra: extra ?? {},
  };
}

/** A copy of what was received, not of what the schema made of it: the service compares it with its own. */
const frozenFirst = (received: unknown): Demand['accepted'] =>
  frozenCopy((received as { accepts: Record<string, unknown>[] }).accepts[0] ?? {});

const extensionsOf = (required: PaymentRequired): Demand['extensions'] =>
  required.x402Version === 2 ? (required.extensions ?? null) : null;

const whyNoToken = ({ chainId }: Entry, policy: PaymentPolicy): string =>
  policy.tokens.some((token) => token.chainId === chainId)
    ? 'the asset is not in PAYMENT_ASSETS'
    : 'the network is not in PAYMENT_NETWORKS';

type Context = Paying & { readonly token: Token; readonly policy: PaymentPolicy };

const zeroAddress = '0x0000000000000000000000000000000000000000';

/** Returns the method by which we pay this, or the first reason why we do not. */
function supportedMethod(
  entry: Entry & Pick<Demand, 'extensions'>,
  context: Context,
): Result<TransferMethod, string> {
  const method = methodOf(entry, context.policy);
  const why = method.ok ? unsupported(entry, { ...context, method: method.value }) : null;
  return why === null ? method : fail(why);
}

/** The first reason why we do not pay this by that method, or null. */
function unsupported(
  entry: Entry,
  { token, payer, owner, policy, method }: Context & { readonly method: TransferMethod },
): string | null {
  const { extra, units, payTo, maxTimeoutSeconds } = entry;
  const absentOr = (key: string, value: string): boolean => extra[key] === undefined || extra[key] === value;
  // The domain of Permit2 is its own; the token's is for the approval, if there is one.
  const isDomain = (key: 'name' | 'version'): boolean =>
    method.kind === 'eip3009' ? extra[key] === token.domain[key] : absentOr(key, token.domain[key]);
  const rules: ReadonlyArray<readonly [holds: boolean, why: string]> = [
    [absentOr('paymentFlow', 'authorization'), 'only the flow "authorization" is paid'],
    [isDomain('name'), "the signing domain's name is not the token's"],
    [isDomain('version'), "the signing domain's version is not the token's"],
    [!sameAddress(payTo, zeroAddress), 'the payee is the zero address'],
    [payTo !== payer, 'the payee is the payer'],
    [payTo !== owner, 'the payee is the owner of the agent wallet that pays'],
    [payTo !== token.address, 'the payee is the token itself'],
    [units > 0n, 'the amount is zero'],
    [fromBaseUnits(units, token.decimals) <= policy.maxAmount, 'the amount is above PAYMENT_MAX_AMOUNT'],
    [
      Number.isSafeInteger(maxTimeoutSeconds) && maxTimeoutSeconds >= 10,
      'the time to settle is below 10 seconds',
    ],
    [
      maxTimeoutSeconds <= policy.maxValiditySeconds,
      'the time to settle is above PAYMENT_MAX_VALIDITY_SECONDS',
    ],
  ];
  return rules.find(([holds]) => !holds)?.[1] ?? null;
}

const refuse = (code: DemandRefusal['code'], why: string, requirement: DemandRefusal['requirement']) =>
  fail({ code, why, requirement });

/** Returns a frozen copy. The JSON's depth must have been checked before. */
function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  const entries = Object.entries(value).map(([key, inner]) => [key, frozenCopy(inner)]);
  return Object.freeze(Object.fromEntries(entries)) as T;
}
