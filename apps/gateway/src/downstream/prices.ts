import { formatAmount, fromBaseUnits, parseAmount } from '@countersign/protocol/amount';
import { parseAddress } from '@countersign/protocol/address';
import { chainIdOf, paymentRequired } from '@countersign/protocol/gateway/x402';
import { findToken, type Token } from '../rules/tokens.ts';
import { isObject } from './dialect.ts';
import type { ReadTool } from './tool-list.ts';

/** What is known of a tool's price before it is asked for. Amounts are decimal text. */
export type Price = {
  readonly paid: boolean;
  readonly price?: string;
  readonly currency?: string;
  readonly priceFrom: 'annotation' | '_meta' | 'seen';
};

/** What a tool did when it was last called without payment; `requirement` is what it asked for. */
export type LastAsked = { readonly paid: boolean; readonly requirement?: unknown };

/** A price that was seen. Only of tokens that are paid with: of others neither decimals nor names are known. */
export const seenPrice = ({ paid, requirement }: LastAsked, tokens: readonly Token[]): Price => ({
  paid,
  ...priceIn(requirement, tokens),
  priceFrom: 'seen',
});

/** What a tool's definition says of its price, in the ways in which servers mark what is paid for; null when nothing. */
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

/** Where no version is told, the name of the amount tells it. */
function versioned(x402: Record<string, unknown>): object {
  const [first] = Array.isArray(x402['accepts']) ? (x402['accepts'] as unknown[]) : [];
  return { x402Version: isObject(first) && 'maxAmountRequired' in first ? 1 : 2, ...x402 };
}

type Amounts = Pick<Price, 'price' | 'currency'>;

function priceIn(requirement: unknown, tokens: readonly Token[]): Amounts {
  const read = paymentRequired.safeParse(requirement);
  const entry = read.success ? read.data.accepts[0] : undefined;
  if (!read.success || entry === undefined) return {};
  const asset = parseAddress(entry.asset);
  const token = asset && findToken(tokens, chainIdOf(read.data.x402Version, entry.network) ?? 0, asset);
  if (!token) return {};
  const units = 'amount' in entry ? entry.amount : entry.maxAmountRequired;
  return {
    price: formatAmount(fromBaseUnits(BigInt(units as string), token.decimals)),
    currency: token.symbol,
  };
}

function inDollars(price: unknown): Amounts {
  const text = typeof price === 'number' || typeof price === 'string' ? String(price).replace(/^\$/, '') : '';
  const amount = parseAmount(text);
  return amount === null ? {} : { price: formatAmount(amount), currency: 'USD' };
}
