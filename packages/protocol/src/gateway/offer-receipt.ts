import { z } from 'zod';

/** The x402 extension in which a service signs its price, and afterwards that it was paid (offer and receipt, version 1). */
export const offerReceiptKey = 'offer-receipt';

const text = (max: number) => z.string().min(1).max(max);
const seconds = z.int().min(0);

/** The payload of a signed offer. Zero and absent mean the same: it does not expire. */
export const offerPayload = z.strictObject({
  version: z.literal(1),
  resourceUrl: text(2048),
  scheme: text(64),
  network: text(128),
  asset: text(128),
  payTo: text(128),
  /** Token base units. */
  amount: z.string().regex(/^(0|[1-9]\d{0,77})$/),
  /** Unix seconds. */
  validUntil: seconds.optional(),
});
export type OfferPayload = z.infer<typeof offerPayload>;

/** The payload of a signed receipt. Empty and absent mean the same: it names no transaction. */
export const receiptPayload = z.strictObject({
  version: z.literal(1),
  network: text(128),
  resourceUrl: text(2048),
  payer: text(128),
  /** Unix seconds. */
  issuedAt: seconds,
  transaction: z.string().max(128).optional(),
});
export type ReceiptPayload = z.infer<typeof receiptPayload>;

/**
 * A signed offer or receipt, before its payload is read; what no signature covers is left out. A JWS carries its payload,
 * and may show no second one.
 */
export const signedArtifact = z.discriminatedUnion('format', [
  z.object({ format: z.literal('eip712'), payload: z.unknown(), signature: text(8192) }),
  z.object({ format: z.literal('jws'), payload: z.undefined().optional(), signature: text(8192) }),
]);
export type SignedArtifact = z.infer<typeof signedArtifact>;

/** Equals the maximum number of entries of a payment requirement. */
const maxOffers = 16;

export const offersInfo = z.looseObject({
  info: z.looseObject({ offers: z.array(signedArtifact).max(maxOffers) }),
});

/** EIP-712, field by field as the extension fixes them; the domain's chain is 1 on every network. */
export const offerTypes = [
  { name: 'version', type: 'uint256' },
  { name: 'resourceUrl', type: 'string' },
  { name: 'scheme', type: 'string' },
  { name: 'network', type: 'string' },
  { name: 'asset', type: 'string' },
  { name: 'payTo', type: 'string' },
  { name: 'amount', type: 'string' },
  { name: 'validUntil', type: 'uint256' },
] as const;

export const receiptTypes = [
  { name: 'version', type: 'uint256' },
  { name: 'network', type: 'string' },
  { name: 'resourceUrl', type: 'string' },
  { name: 'payer', type: 'string' },
  { name: 'issuedAt', type: 'uint256' },
  { name: 'transaction', type: 'string' },
] as const;

export const artifactDomain = (kind: 'offer' | 'receipt') =>
  ({ name: `x402 ${kind}`, version: '1', chainId: 1 }) as const;
