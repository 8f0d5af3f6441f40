import { parsePaymentPayload, parsePaymentRequirements } from '@x402/core/schemas';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { z } from 'zod';

/** What a merchant asks a facilitator to verify or to settle. */
export type Order = { readonly payload: PaymentPayload; readonly requirements: PaymentRequirements };

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const uint256 = z.string().regex(/^\d{1,78}$/);

// The x402 schemas leave it open, and the scheme trusts it: garbage would be an exception there.
const authorization = z.object({
  authorization: z.object({
    from: address,
    to: address,
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  }),
  signature: z.string().regex(/^0x([0-9a-fA-F]{2}){1,4096}$/),
});

/** Null for what is not an order of x402, v1 or v2, with a well-formed EIP-3009 authorization. */
export function readOrder(body: unknown): Order | null {
  if (typeof body !== 'object' || body === null) return null;
  const { paymentPayload, paymentRequirements } = body as Record<string, unknown>;
  const payload = parsePaymentPayload(paymentPayload);
  const requirements = parsePaymentRequirements(paymentRequirements);
  if (!payload.success || !requirements.success) return null;
  if (!authorization.safeParse(payload.data.payload).success) return null;
  if (!address.safeParse(requirements.data.asset).success) return null;
  return { payload: payload.data as PaymentPayload, requirements: requirements.data as PaymentRequirements };
}
