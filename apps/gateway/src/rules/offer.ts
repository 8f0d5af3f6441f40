import { sameAddress } from '@countersign/protocol/address';
import { findCartMandate } from '@countersign/protocol/gateway/cart-mandate';
import { type OfferPayload, offerReceiptKey, offersInfo } from '@countersign/protocol/gateway/offer-receipt';
import type { Address } from '@countersign/protocol/address';
import { readSignedOffer, type Signed } from './signed-artifact.ts';

/** The service's signature over a requirement (x402 offer), as far as one was found. */
export type FoundOffer =
  | { readonly kind: 'missing' }
  /** At least one of them is malformed, which never counts as missing. */
  | { readonly kind: 'malformed' }
  /** None of them is for this price; what differs in the first. */
  | { readonly kind: 'mismatch'; readonly differs: string }
  /** Those for this price, in the order in which they are shown: one that holds is enough. */
  | {
      readonly kind: 'offer';
      readonly signed: Signed<OfferPayload>;
      readonly others: readonly Signed<OfferPayload>[];
    };

/** The requirement that is paid, as an offer for it says it. */
export type OfferedTerms = {
  readonly resource: unknown;
  readonly scheme: string;
  readonly chainId: number;
  readonly asset: Address;
  readonly payTo: Address;
  readonly units: bigint;
};

/**
 * Finds the offers for the price that is paid, by its fields: `acceptIndex` is unsigned and is not looked at. Expects JSON of
 * bounded depth.
 */
export function findOffer(extensions: unknown, terms: OfferedTerms): FoundOffer {
  const extension = partOf(extensions, offerReceiptKey);
  if (!hasOffers(extension)) return { kind: 'missing' };
  const parsed = offersInfo.safeParse(extension);
  if (!parsed.success) return { kind: 'malformed' };
  const read = parsed.data.info.offers.map(readSignedOffer);
  if (read.includes(null)) return { kind: 'malformed' };
  const signed = read.filter((offer) => offer !== null);
  const [fitting, ...others] = signed.filter(({ payload }) => whatDiffers(payload, terms) === null);
  if (fitting !== undefined) return { kind: 'offer', signed: fitting, others };
  const [first] = signed;
  return { kind: 'mismatch', differs: (first && whatDiffers(first.payload, terms)) ?? '' };
}

/**
 * Returns whether a requirement is judged by an offer: it shows one, malformed or not, and no cart, which
 * comes first.
 */
export function isJudgedByOffer(requirement: unknown): boolean {
  const accepts = partOf(requirement, 'accepts');
  const extra = partOf(Array.isArray(accepts) ? accepts[0] : undefined, 'extra');
  const hasCart = findCartMandate(extra).kind !== 'missing';
  return !hasCart && hasOffers(partOf(partOf(requirement, 'extensions'), offerReceiptKey));
}

function hasOffers(extension: unknown): boolean {
  const offers = partOf(partOf(extension, 'info'), 'offers');
  return offers !== undefined && !(Array.isArray(offers) && offers.length === 0);
}

/** A property of an object of another party's; undefined for null and for what is no object. */
export const partOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? ((value as Record<string, unknown>)[name] ?? undefined)
    : undefined;

/** The first term that is another one, in our words; null when the offer is for these very terms. */
function whatDiffers(offer: OfferPayload, terms: OfferedTerms): string | null {
  const same: ReadonlyArray<readonly [holds: boolean, term: string]> = [
    [offer.resourceUrl === terms.resource, 'resource'],
    [offer.scheme === terms.scheme, 'scheme'],
    [offer.network === `eip155:${terms.chainId}`, 'network'],
    [sameAddress(offer.asset, terms.asset), 'asset'],
    [sameAddress(offer.payTo, terms.payTo), 'payee'],
    [BigInt(offer.amount) === terms.units, 'amount'],
  ];
  return same.find(([holds]) => !holds)?.[1] ?? null;
}

/** Returns whether an offer has run out. `now` is Unix ms. */
export const hasRunOut = ({ validUntil = 0 }: OfferPayload, now: number): boolean =>
  validUntil !== 0 && now > validUntil * 1000;
