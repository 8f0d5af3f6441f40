import { parsePaymentPayload, parsePaymentRequirements } from '@x402/core/schemas';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { z } from 'zod';

/** A merchant's request to verify or settle a payment. */
export type Order = { readonly payload: PaymentPayload; readonly requirements: PaymentRequirements };

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const uint256 = z.string().regex(/^\d{1,78}$/);

const signature = z.string().regex(/^0x([0-9a-fA-F]{2}){1,4096}$/);

// The x402 schemas leave it open, and the schemes trust it: garbage would be an exception there.
const signed = z.union([
  z.object({
    authorization: z.object({
      from: address,
      to: address,
      value: uint256,
      validAfter: uint256,
      validBefore: uint256,
      nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
    }),
    signature,
  }),
  z.object({
    permit2Authorization: z.object({
      from: address,
      permitted: z.object({ token: address, amount: uint256 }),
      spender: address,
      nonce: uint256,
      deadline: uint256,
      witness: z.object({ to: address, facilitator: address.optional(), validAfter: uint256 }),
    }),
    signature,
  }),
]);

/** Null for what is not an order of x402, v1 or v2, with a well-formed authorization by EIP-3009 or for Permit2. */
export function readOrder(body: unknown): Order | null {
  if (typeof body !== 'object' || body === null) return null;
  const { paymentPayload, paymentRequirements } = body as Record<string, unknown>;
  const payload = parsePaymentPayload(paymentPayload);
  const requirements = parsePaymentRequirements(paymentRequirements);
  if (!payload.success || !requirements.success) return null;
  if (!signed.safeParse(payload.data.payload).success) return null;
  if (!address.safeParse(requirements.data.asset).success) return null;
  return { payload: payload.data as PaymentPayload, requirements: requirements.data as PaymentRequirements };
}
