import { formatAmount, fromBaseUnits, parseAmount } from '@countersign/protocol/amount';
import { parseAddress } from '@countersign/protocol/address';
import { chainIdOf, firstEntry, paymentRequired } from '@countersign/protocol/gateway/x402';
import { readChallenged, readCharge } from '../rules/charge.ts';
import { findToken, type Token } from '../rules/tokens.ts';
import { isObject } from './dialect.ts';
import type { ReadTool } from './tool-list.ts';

/** What is known of a tool's price before it is asked for. Amounts are decimal text. */
export type Price = {
  readonly paid: boolean;
  readonly price?: string;
  readonly currency?: string;
  readonly priceFrom: 'annotation' | '_meta' | 'discovery' | 'seen';
};

/** What a tool did when it was last called without payment; `requirement` is what it asked for. */
export type LastAsked = { readonly paid: boolean; readonly requirement?: unknown };

/** A price that was seen. Only of tokens that are paid with: of others neither decimals nor names are known. */
export const seenPrice = ({ paid, requirement }: LastAsked, tokens: readonly Token[]): Price => ({
  paid,
  ...priceIn(requirement, tokens),
  priceFrom: 'seen',
});

/** What somebody else says that a tool asks for; null unless it is an amount of a token that is paid with. */
export function discoveredPrice(requirement: object, tokens: readonly Token[]): Price | null {
  const { price, currency } = priceIn(requirement, tokens);
  return price === undefined || currency === undefined
    ? null
    : { paid: true, price, currency, priceFrom: 'discovery' };
}

/** Of what is told of one tool: what it asked for counts most, then the price that it names, then a catalogue's. */
export const shownPrice = (own: Price | null, discovered: Price | null): Price | null =>
  own?.priceFrom === 'seen' || own?.price !== undefined ? own : (discovered ?? own);

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
