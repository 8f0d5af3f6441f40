import { formatAmount, fromBaseUnits, parseAmount } from '@countersign/protocol/amount';
import { parseAddress } from '@countersign/protocol/address';
import { chainIdOf, firstEntry, paymentRequired } from '@countersign/protocol/gateway/x402';
import { readChallenged, readCharge } from '../rules/charge.ts';
import { findToken, type Token } from '../rules/tokens.ts';
import { isObject } from './dialect.ts';
import type { ReadTool } from './tool-list.ts';

/** A tool's price as known before a call. Amounts are decimal text. */
export type Price = {
  readonly paid: boolean;
  readonly price?: string;
  readonly currency?: string;
  readonly priceFrom: 'annotation' | '_meta' | 'discovery' | 'seen';
};

/** What a tool did when it was last called without payment; `requirement` is the price it asked. */
export type LastAsked = { readonly paid: boolean; readonly requirement?: unknown };

/** A price that was seen. Only of tokens that are paid with: of others neither decimals nor names are known. */
export const seenPrice = ({ paid, requirement }: LastAsked, tokens: readonly Token[]): Price => ({
  paid,
  ...priceIn(requirement, tokens),
  priceFrom: 'seen',
});

/** Returns a price that a third party states; null unless it is an amount of a token that we pay with. */
export function discoveredPrice(requirement: object, tokens: readonly Token[]): Price | null {
  const { price, currency } = priceIn(requirement, tokens);
  return price === undefined || currency === undefined
    ? null
    : { paid: true, price, currency, priceFrom: 'discovery' };
}

/** Returns the price to show: what the tool asked for, else its definition's, else a catalogue's. */
export const shownPrice = (own: Price | null, discovered: Price | null): Price | null =>
  own?.priceFrom === 'seen' || own?.price !== undefined ? own : (discovered ?? own);

/**
 * Returns the price in a tool's definition, in any of the ways in which servers mark paid tools; null if
 * there is none.
 */
export function announcedPrice(
  { annotations, _meta }: ReadTool['definition'],
  tokens: readonly Token[],
): Price | null {
  if (isObject(_meta)) {
    const { x402 } = _meta;
    if (isObject(x402) && (x402['paymentRequired'] === true || Array.isArray(x402['accepts'])))
      return { paid: true, ...priceIn(versioned(x402), tokens), priceFrom: '_meta' };
    if (_meta['agents-x402/paymentRequired'] === true)
      return { paid: true, ...inDollars(_meta['agents-x402/priceUSD']), priceFrom: '_meta' };
  }
  if (isObject(annotations) && annotations['paymentHint'] === true)
    return { paid: true, ...inDollars(annotations['paymentPriceUSD']), priceFrom: 'annotation' };
  return null;
}

/** Returns the object with its x402 version, which the name of the amount implies if it is absent. */
function versioned(x402: Record<string, unknown>): object {
  const [first] = Array.isArray(x402['accepts']) ? (x402['accepts'] as unknown[]) : [];
  return { x402Version: isObject(first) && 'maxAmountRequired' in first ? 1 : 2, ...x402 };
}

type Amounts = Pick<Price, 'price' | 'currency'>;

function termsIn(requirement: unknown) {
  const challenged = readChallenged(requirement);
  const charge = challenged && readCharge(challenged);
  if (charge !== null) return charge.ok ? charge.value : null;
  const read = paymentRequired.safeParse(requirement);
  if (!read.success) return null;
  const { network, asset, units } = firstEntry(read.data);
  return { chainId: chainIdOf(read.data.x402Version, network), asset: parseAddress(asset), units };
}

function priceIn(requirement: unknown, tokens: readonly Token[]): Amounts {
  const read = termsIn(requirement);
  const token = read?.asset && findToken(tokens, read.chainId ?? 0, read.asset);
  if (!token) return {};
  return {
    price: formatAmount(fromBaseUnits(read.units, token.decimals)),
    currency: token.symbol,
  };
}

function inDollars(price: unknown): Amounts {
  const text = typeof price === 'number' || typeof price === 'string' ? String(price).replace(/^\$/, '') : '';
  const amount = parseAmount(text);
  return amount === null ? {} : { price: formatAmount(amount), currency: 'USD' };
}
