import { sameAddress } from '@countersign/protocol/address';
import {
  offerReceiptKey,
  type ReceiptPayload,
  signedArtifact,
} from '@countersign/protocol/gateway/offer-receipt';
import type { Address } from '@countersign/protocol/address';
import type { CallOutcome } from './call-outcome.ts';
import type { Demand } from './demand.ts';
import { partOf } from './offer.ts';
import { readSignedReceipt, type Signed } from './signed-artifact.ts';

/**
 * What the service signed of a payment that it was made (x402 receipt). It is evidence for the owner: whatever it says, or
 * if there is none, nothing is paid a second time for it.
 */
export type MerchantReceipt =
  | { readonly kind: 'missing' }
  | { readonly kind: 'wrong'; readonly why: string }
  | { readonly kind: 'verified' };

export type FoundReceipt =
  | Exclude<MerchantReceipt, { kind: 'verified' }>
  | { readonly kind: 'found'; readonly signed: Signed<ReceiptPayload> };

/** Which payment a receipt has to be of. */
export type ReceiptOf = {
  readonly demand: Demand;
  readonly payer: Address;
  readonly transaction: string;
  /** Unix ms, of the decision. */
  readonly at: number;
  /** Whether the payment may have been made before that. */
  readonly again: boolean;
};

/** Looks for the receipt beside the settlement and holds it against the payment; its signature is judged elsewhere. */
export function findReceipt(outcome: CallOutcome, about: ReceiptOf): FoundReceipt {
  const settlement = 'settlement' in outcome ? outcome.settlement : undefined;
  const extension = partOf(partOf(settlement, 'extensions'), offerReceiptKey);
  const received = partOf(partOf(extension, 'info'), 'receipt');
  if (received === undefined) return { kind: 'missing' };
  const artifact = signedArtifact.safeParse(received);
  const signed = artifact.success ? readSignedReceipt(artifact.data) : null;
  if (signed === null) return wrong('the receipt is malformed');
  const differs = whatDiffers(signed.payload, about);
  return differs === null ? { kind: 'found', signed } : wrong(`the receipt names another ${differs}`);
}

export const wrong = (why: string) => ({ kind: 'wrong', why }) as const;

/** Clocks differ, and a paid call may take long. */
const earliestMs = 60_000;
const latestMs = 3_600_000;

function whatDiffers(receipt: ReceiptPayload, about: ReceiptOf): string | null {
  const { demand, payer, transaction, at, again } = about;
  const issuedAt = receipt.issuedAt * 1000;
  const named = receipt.transaction ?? '';
  const same: ReadonlyArray<readonly [holds: boolean, term: string]> = [
    [receipt.resourceUrl === demand.resourceUrl, 'resource'],
    [receipt.network === `eip155:${demand.chainId}`, 'network'],
    [sameAddress(receipt.payer, payer), 'payer'],
    [named === '' || sameAddress(named, transaction), 'transaction'],
    [issuedAt <= at + latestMs && (again || issuedAt >= at - earliestMs), 'time'],
  ];
  return same.find(([holds]) => !holds)?.[1] ?? null;
}
