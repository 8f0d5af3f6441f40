import { isDeepStrictEqual } from 'node:util';
import { networkNameOf } from './network-name.ts';
import type { Merchant } from './merchant.ts';
import type { Payment } from './facilitator-client.ts';
import { usdcUnits } from '../usdc-units.ts';

/** One entry of `accepts`; the fields of v1 and v2 differ, see `paymentRequired`. */
export type Requirement = {
  readonly scheme: string;
  readonly network: string;
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
};

export type PaymentRequired = {
  readonly x402Version: number;
  readonly error: string;
  readonly accepts: readonly Requirement[];
  readonly [field: string]: unknown;
};

/** Where the signed cart is placed: in `extra.cartMandate`, or its members at the top level of `extra`. */
export type CartPlace = 'cartMandate' | 'top-level' | 'none';

export type Sale = {
  readonly toolName: string;
  readonly description: string;
  /** Decimal text, such as `0.01`. */
  readonly price: string;
  readonly x402Version: 1 | 2;
  readonly cart: CartPlace;
};

// The specification's own value: long enough for a person to be asked, short enough to be forgotten.
const maxTimeoutSeconds = 60;

/**
 * Returns the answer to an unpaid call. The same sale always yields the same bytes, since clients echo them.
 */
export function paymentRequired(merchant: Merchant, sale: Sale): PaymentRequired {
  const amount = String(usdcUnits(sale.price));
  const url = `mcp://tool/${sale.toolName}`;
  const { description } = sale;
  const error = 'Payment required to access this resource';
  const { asset, address: payTo, network } = merchant;
  const extra = { name: 'USDC', version: '2', ...cartIn(merchant, sale) };
  if (sale.x402Version === 1) {
    const money = { maxAmountRequired: amount, resource: url, description, mimeType: 'application/json' };
    const rest = { outputSchema: {}, payTo, maxTimeoutSeconds, asset, extra };
    const requirement = { scheme: 'exact', network: networkNameOf(network), ...money, ...rest };
    return { x402Version: 1, error, accepts: [requirement] };
  }
  return {
    x402Version: 2,
    error,
    resource: { url, description, mimeType: 'application/json' },
    accepts: [{ scheme: 'exact', network, amount, asset, payTo, maxTimeoutSeconds, extra }],
    extensions: {},
  };
}

function cartIn(merchant: Merchant, sale: Sale): object {
  switch (sale.cart) {
    case 'none':
      return {};
    case 'cartMandate':
      return { cartMandate: merchant.cart(sale.price) };
    case 'top-level':
      return merchant.cart(sale.price);
  }
}

/**
 * Returns whether a payment answers this demand: ours to the letter, though the client may have added to
 * `extra`.
 */
export function paysFor(required: PaymentRequired, payment: Payment): boolean {
  const [demanded] = required.accepts;
  if (demanded === undefined || payment.x402Version !== required.x402Version) return false;
  if (payment.x402Version === 1)
    return payment['scheme'] === demanded.scheme && payment['network'] === demanded.network;
  const { accepted } = payment;
  if (!isObject(accepted)) return false;
  const { extra, ...core } = demanded;
  return contains(accepted, core) && contains(accepted['extra'], extra ?? {});
}

const contains = (value: unknown, wanted: object): boolean =>
  isObject(value) && Object.entries(wanted).every(([key, item]) => isDeepStrictEqual(value[key], item));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
