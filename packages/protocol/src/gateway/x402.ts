import { z } from 'zod';

const baseUnits = z.string().regex(/^(0|[1-9]\d{0,77})$/, 'must be an integer of token base units');

const extra = z.record(z.string(), z.unknown()).nullish();

/** x402 v1, `accepts[]`: price in `maxAmountRequired`, network by name. */
const requirementV1 = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  maxAmountRequired: baseUnits,
  resource: z.string().nullish(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number(),
  asset: z.string(),
  extra,
});

/** x402 v2, `accepts[]`: price in `amount`, network in CAIP-2. */
const requirementV2 = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  amount: baseUnits,
  payTo: z.string(),
  maxTimeoutSeconds: z.number(),
  asset: z.string(),
  extra,
});

/** More entries than this are refused unread: nobody honest offers them, and only the first is ever paid. */
const maxAccepts = 16;

/** A service's answer while it awaits payment (x402 specification, v1 and v2). */
export const paymentRequired = z.discriminatedUnion('x402Version', [
  z.looseObject({
    x402Version: z.literal(1),
    accepts: z.array(requirementV1).min(1).max(maxAccepts),
    error: z.unknown().optional(),
  }),
  z.looseObject({
    x402Version: z.literal(2),
    accepts: z.array(requirementV2).min(1).max(maxAccepts),
    error: z.unknown().optional(),
    resource: z.looseObject({ url: z.string() }).nullish(),
    extensions: z.record(z.string(), z.unknown()).nullish(),
  }),
]);
export type PaymentRequired = z.infer<typeof paymentRequired>;

type FirstEntry = PaymentRequired['accepts'][number] & { readonly units: bigint };

/**
 * The only entry that is ever read, with its price in base units. Each version has a name of its own for the price: what
 * stands under the other's name was checked by nobody.
 */
export function firstEntry(required: PaymentRequired): FirstEntry {
  const [one, two] = required.x402Version === 1 ? [required.accepts[0], null] : [null, required.accepts[0]];
  if (one != null) return { ...one, units: BigInt(one.maxAmountRequired) };
  if (two != null) return { ...two, units: BigInt(two.amount) };
  throw new Error('the schema lets no empty accepts through');
}

/** EIP-3009 authorization as x402 sends it: integers as decimal text, times in Unix seconds. */
export type Authorization = {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: string;
};

/**
 * The service's statement about settlement. It is a claim of the other party: verify it before you rely on
 * it.
 */
export const settleResponse = z.looseObject({
  success: z.boolean(),
  transaction: z.string().optional(),
  network: z.string().optional(),
  payer: z.string().optional(),
  errorReason: z.string().optional(),
});
export type SettleResponse = z.infer<typeof settleResponse>;

export const paymentMetaKey = 'x402/payment';
export const paymentResponseMetaKey = 'x402/payment-response';

const networkNames: Readonly<Record<string, number>> = {
  ethereum: 1,
  sepolia: 11155111,
  base: 8453,
  'base-sepolia': 84532,
  polygon: 137,
  'polygon-amoy': 80002,
  avalanche: 43114,
  'avalanche-fuji': 43113,
  sei: 1329,
  iotex: 4689,
  peaq: 3338,
};

/** EVM chain id of an x402 network: a name in v1, `eip155:<id>` in v2. Null for any other text. */
export function chainIdOf(x402Version: 1 | 2, network: string): number | null {
  if (x402Version === 1) return Object.hasOwn(networkNames, network) ? (networkNames[network] ?? null) : null;
  const match = /^eip155:([1-9]\d{0,14})$/.exec(network);
  return match === null ? null : Number(match[1]);
}
