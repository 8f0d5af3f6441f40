import { type Address, parseAddress, sameAddress } from '@countersign/protocol/address';
import { type Amount, fromBaseUnits } from '@countersign/protocol/amount';
import { type FoundCart, findCartMandate } from '@countersign/protocol/gateway/cart-mandate';
import { chainIdOf, type PaymentRequired, paymentRequired } from '@countersign/protocol/gateway/x402';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { PaymentPolicy } from '../config.ts';
import { findToken, type Token } from './tokens.ts';

/** What a service wants for one call: `accepts[0]`, judged, copied and frozen. What is checked is what is signed. */
export type Demand = {
  readonly x402Version: 1 | 2;
  /** `accepts[0]` as received; a v2 payment echoes it. */
  readonly accepted: Readonly<Record<string, unknown>>;
  readonly resource: unknown;
  readonly extensions: Readonly<Record<string, unknown>> | null;
  readonly network: string;
  readonly chainId: number;
  readonly token: Token;
  /** Token base units. */
  readonly units: bigint;
  readonly amount: Amount;
  readonly payTo: Address;
  readonly maxTimeoutSeconds: number;
  readonly cart: FoundCart;
};

export type DemandRefusal = {
  readonly code: 'PAYMENT_REQUIREMENT_INVALID' | 'PAYMENT_UNSUPPORTED';
  /** In our own words. */
  readonly why: string;
  /** The requirement, as far as it could be read: another party's text. */
  readonly requirement: Readonly<Record<string, unknown>> | null;
};

/** Judges a payment requirement before anything is looked up: is it well-formed, and is it one we ever pay? */
export function readDemand(
  received: unknown,
  payer: Address,
  policy: PaymentPolicy,
): Result<Demand, DemandRefusal> {
  const parsed = paymentRequired.safeParse(received);
  if (!parsed.success) return refuse('PAYMENT_REQUIREMENT_INVALID', 'the requirement is malformed', null);
  const required = parsed.data;
  // A copy of what was received, not of what the schema made of it: the service compares it with its own.
  const accepted = deepFreeze(
    structuredClone((received as { accepts: Record<string, unknown>[] }).accepts[0] ?? {}),
  );

  const entry = readEntry(required);
  const payTo = parseAddress(entry.payTo);
  const asset = parseAddress(entry.asset);
  if (payTo === null || asset === null) {
    return refuse('PAYMENT_REQUIREMENT_INVALID', 'payTo or asset is not an address', accepted);
  }
  const chainId = chainIdOf(required.x402Version, entry.network);
  const token = chainId === null ? undefined : findToken(policy.tokens, chainId, asset);
  const why = unsupported(entry, { chainId, token, payTo, payer, policy });
  if (why !== null || chainId === null || token === undefined)
    return refuse('PAYMENT_UNSUPPORTED', why ?? 'network', accepted);

  return ok({
    x402Version: required.x402Version,
    accepted,
    resource: required.x402Version === 2 ? required.resource : undefined,
    extensions: required.x402Version === 2 ? (required.extensions ?? null) : null,
    network: entry.network,
    chainId,
    token,
    units: entry.units,
    amount: fromBaseUnits(entry.units, token.decimals),
    payTo,
    maxTimeoutSeconds: entry.maxTimeoutSeconds,
    cart: findCartMandate(accepted['extra']),
  });
}

type Entry = {
  readonly scheme: string;
  readonly network: string;
  readonly units: bigint;
  readonly payTo: string;
  readonly asset: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: Readonly<Record<string, unknown>>;
};

/** The two versions differ in the name of the price. Only `accepts[0]` is ever read. */
function readEntry(required: PaymentRequired): Entry {
  const entry = required.accepts[0];
  if (entry === undefined) throw new Error('the schema lets no empty accepts through');
  const units = 'amount' in entry ? entry.amount : entry.maxAmountRequired;
  return { ...entry, units: BigInt(units as string), extra: entry.extra ?? {} };
}

type Context = {
  readonly chainId: number | null;
  readonly token: Token | undefined;
  readonly payTo: Address;
  readonly payer: Address;
  readonly policy: PaymentPolicy;
};

const zeroAddress = '0x0000000000000000000000000000000000000000';

/** The first reason why we do not pay this, or null. */
function unsupported(entry: Entry, { chainId, token, payTo, payer, policy }: Context): string | null {
  const { extra, units, maxTimeoutSeconds } = entry;
  const rules: ReadonlyArray<readonly [holds: boolean, why: string]> = [
    [entry.scheme === 'exact', 'only the scheme "exact" is paid'],
    [
      chainId !== null && policy.tokens.some((t) => t.chainId === chainId),
      'the network is not in PAYMENT_NETWORKS',
    ],
    [token !== undefined, 'the asset is not in PAYMENT_ASSETS'],
    [
      extra['paymentFlow'] === undefined || extra['paymentFlow'] === 'authorization',
      'only the flow "authorization" is paid',
    ],
    [
      extra['assetTransferMethod'] === undefined || extra['assetTransferMethod'] === 'eip3009',
      'only EIP-3009 transfers are paid',
    ],
    [
      token !== undefined && extra['name'] === token.domain.name,
      "the signing domain's name is not the token's",
    ],
    [
      token !== undefined && extra['version'] === token.domain.version,
      "the signing domain's version is not the token's",
    ],
    [!sameAddress(payTo, zeroAddress), 'the payee is the zero address'],
    [payTo !== payer && payTo !== token?.address, 'the payee is the payer or the token itself'],
    [units > 0n, 'the amount is zero'],
    [
      token !== undefined && fromBaseUnits(units, token.decimals) <= policy.maxAmount,
      'the amount is above PAYMENT_MAX_AMOUNT',
    ],
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

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
