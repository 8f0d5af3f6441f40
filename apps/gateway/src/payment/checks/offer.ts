import type { ContractSigned } from '@countersign/service/ethereum/wallet-signature';
import type { Demand } from '../../rules/demand.ts';
import { hasRunOut } from '../../rules/offer.ts';
import type { OfferSigner } from '../../rules/offer-signers.ts';
import { isSignedBy } from '../../rules/signed-artifact.ts';
import type { AssuranceOutcome } from '../../rules/verdicts.ts';

/** Who may sign for a service beside its payee, and who is asked of payees that are contracts; null: nobody. */
export type Signers = {
  readonly admitted: readonly OfferSigner[];
  readonly contractSigned: ContractSigned | null;
};

type Refused = Extract<AssuranceOutcome, { kind: 'refused' }>;

/**
 * Whether the service's signed offer is for this very price, still good, and signed by one who may: what a cart's signature
 * is where there is a cart (docs/decisions/0033). Null when it is, or there is none. `now` is Unix ms.
 */
export async function checkOffer(
  { offer, payTo }: Demand,
  { admitted, contractSigned }: Signers,
  now: number,
): Promise<Refused | null> {
  switch (offer.kind) {
    case 'missing':
      return null;
    case 'malformed':
      return refused('offer', 'CART_MANDATE_INVALID', 'the signed offer is malformed');
    case 'mismatch':
      return mismatch(`the signed offer names another ${offer.differs}`);
    case 'offer': {
      const good = [offer.signed, ...offer.others].filter(({ payload }) => !hasRunOut(payload, now));
      if (good.length === 0) return mismatch('the signed offer has expired');
      // A service that signs in two formats is paid by the one that we can judge.
      for (const signed of good) if (await isSignedBy(signed, payTo, admitted, contractSigned)) return null;
      return refused(
        'offer-signature',
        'MERCHANT_SIGNATURE_INVALID',
        'neither the payee nor a key in OFFER_SIGNERS signed the offer',
      );
    }
  }
}

const mismatch = (why: string): Refused => refused('offer-binding', 'CART_MANDATE_MISMATCH', why);

const refused = (rule: Refused['rule'], code: Refused['code'], why: string): Refused => ({
  kind: 'refused',
  rule,
  code,
  why,
});
