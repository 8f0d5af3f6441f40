import { z } from 'zod';

const text = (max: number) =>
  z
    .string()
    .regex(/^[\x20-\x7e]+$/)
    .max(max);

/**
 * One challenge of the HTTP authentication scheme `Payment` (draft-httpauth-payment), as it was received. What it asks for is
 * in `request`, base64url of JSON. Parameters that nobody knows are dropped.
 */
export const paymentChallenge = z.object({
  id: text(512),
  realm: text(256),
  method: text(64),
  intent: text(64),
  request: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(16_384),
  expires: text(64).optional(),
  digest: text(256).optional(),
  opaque: text(4096).optional(),
  /** The header that the payment is wanted in; absent: `Authorization`. */
  header: text(64).optional(),
  description: z.string().max(4096).optional(),
});
export type PaymentChallenge = z.infer<typeof paymentChallenge>;

/** More challenges than this are refused unread. */
const maxChallenges = 16;

/**
 * A 402 that asks by challenges, as the gateway keeps it. `receivedAt` is its own reading of the clock. `error` is the type of
 * the problem that was told with it, as a word of ours.
 */
export const challenged = z.strictObject({
  challenges: z.array(paymentChallenge).min(1).max(maxChallenges),
  receivedAt: z.iso.datetime(),
  error: z.string().optional(),
});
export type Challenged = z.infer<typeof challenged>;

/**
 * The credential to return: the challenge and the payment, an EIP-3009 authorization (draft-evm-charge,
 * `authorization`).
 */
export type PaymentCredential = {
  readonly challenge: PaymentChallenge;
  readonly payload: object;
  /** The payer as a `did:pkh`. */
  readonly source: string;
};

const baseUnits = z.string().regex(/^(0|[1-9]\d{0,77})$/);

/** The `request` of a charge by the method `evm`. Amounts are base units of the token, which `currency` names. */
export const evmCharge = z.looseObject({
  amount: baseUnits,
  currency: z.string(),
  recipient: z.string(),
  methodDetails: z.looseObject({
    chainId: z.int().positive(),
    credentialTypes: z.array(z.string()).max(16).optional(),
    decimals: z.int().optional(),
    splits: z.unknown().optional(),
  }),
});

/**
 * A service's statement, in `Payment-Receipt`, about a payment that it has accepted; `reference` is the
 * transaction.
 */
export const paymentReceipt = z.looseObject({
  method: z.literal('evm'),
  status: z.literal('success'),
  reference: z.string(),
  challengeId: z.string().optional(),
});
