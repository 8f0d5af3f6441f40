import { sameAddress } from '@countersign/protocol/address';
import { parseAmount } from '@countersign/protocol/amount';
import type { CartMandate } from '@countersign/protocol/gateway/cart-mandate';
import type { Demand } from './demand.ts';

/**
 * Returns whether the signed cart is the payment: same amount to the last unit, same payee, same currency.
 */
export function cartMatches(cart: CartMandate, demand: Demand): boolean {
  return (
    parseAmount(cart.total_amount) === demand.amount &&
    sameAddress(cart.pay_to, demand.payTo) &&
    cart.currency === demand.token.symbol
  );
}
