import { z } from 'zod';
import { addressText } from '../address.ts';
import { decimalText } from '../amount.ts';

/**
 * The merchant's signed cart (spec: gateway.cart). Texts stay as received, because they are what was
 * signed; every field must be a string: `1` and `"1"` sign differently.
 */
export const cartMandate = z.object({
  merchant_id: z.string().min(1).max(256),
  merchant_address: z.string().refine((text) => addressText.safeParse(text).success),
  total_amount: decimalText,
  currency: z.string().min(1).max(32),
  pay_to: z.string().refine((text) => addressText.safeParse(text).success),
  merchant_signature: z.string().max(1024),
});
export type CartMandate = z.infer<typeof cartMandate>;

export type FoundCart =
  | { readonly kind: 'missing' }
  /** Present but incomplete or malformed: never treated as missing. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'cart'; readonly cart: CartMandate };

/** Looks in `extra.cartMandate`, then at the top level of `extra` (spec: gateway.cart). */
export function findCartMandate(extra: unknown): FoundCart {
  if (!isObject(extra)) return { kind: 'missing' };
  if (extra['cartMandate'] !== undefined && extra['cartMandate'] !== null)
    return readCart(extra['cartMandate']);
  return cartFields.some((field) => extra[field] !== undefined) ? readCart(extra) : { kind: 'missing' };
}

/** Any of these at the top level of `extra` says that a cart was meant. */
const cartFields = ['merchant_id', 'merchant_address', 'merchant_signature', 'total_amount', 'pay_to'];

function readCart(value: unknown): FoundCart {
  const parsed = cartMandate.safeParse(value);
  return parsed.success ? { kind: 'cart', cart: parsed.data } : { kind: 'malformed' };
}

/** The text that the merchant signs with EIP-191: exactly this key order (spec: gateway.assurance). */
export function cartMessage(cart: Omit<CartMandate, 'merchant_signature'>): string {
  const { merchant_id, merchant_address, total_amount, currency, pay_to } = cart;
  return JSON.stringify({ merchant_id, merchant_address, total_amount, currency, pay_to });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
