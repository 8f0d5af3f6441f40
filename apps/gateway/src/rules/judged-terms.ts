import type { Demand } from './demand.ts';

/** Whose word a price was judged by: the merchant's cart, the service's signed offer, or nobody's signature. */
export type JudgedTerms = 'cart' | 'offer' | 'requirement';

/** A cart comes first: where there is one, malformed or not, no offer is looked at. */
export function judgedIn({ cart, offer }: Pick<Demand, 'cart' | 'offer'>): JudgedTerms {
  if (cart.kind !== 'missing') return 'cart';
  return offer.kind === 'missing' ? 'requirement' : 'offer';
}
