import { sameAddress } from '@countersign/protocol/address';
import { chainIdOf, type SettleResponse, settleResponse } from '@countersign/protocol/gateway/x402';
import type { Address } from '@countersign/protocol/address';
import type { CallOutcome } from './call-outcome.ts';
import type { Demand } from './demand.ts';

/** The outcome of a signed payment. Only `settled` means that money moved, only `rejected` that none did. */
export type Settlement =
  /** `moved`: base units as decimal text, where less than all may have been taken; the chain's word. */
  | {
      readonly kind: 'settled';
      readonly response: SettleResponse;
      readonly transaction: string;
      readonly moved?: string | undefined;
    }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'failed'; readonly response: SettleResponse | null }
  | { readonly kind: 'unknown'; readonly response: SettleResponse | null };

/** Judges the answer to a paid call. Whatever is not clearly one thing or the other is `unknown`. */
export function judgeSettlement(outcome: CallOutcome, demand: Demand, payer: Address): Settlement {
  if (outcome.kind !== 'result' && outcome.kind !== 'payment-required')
    return { kind: 'unknown', response: null };
  const parsed = settleResponse.safeParse(outcome.settlement);
  const response = parsed.success ? parsed.data : null;
  if (response === null)
    return outcome.kind === 'payment-required'
      ? askedAgain(outcome.requirement)
      : { kind: 'unknown', response };
  if (!response.success)
    return isPending(response) ? { kind: 'unknown', response } : { kind: 'failed', response };
  return isOurs(response, demand, payer)
    ? { kind: 'settled', response, transaction: response.transaction ?? '' }
    : { kind: 'unknown', response };
}

/** `settlement_pending` is not final: the transaction may still be mined. */
const isPending = (response: SettleResponse): boolean => response.errorReason === 'settlement_pending';

function isOurs(response: SettleResponse, demand: Demand, payer: Address): boolean {
  const { transaction, network } = response;
  if (transaction === undefined || !/^0x[0-9a-fA-F]{64}$/.test(transaction)) return false;
  if (network === undefined || chainIdOf(demand.x402Version, network) !== demand.chainId) return false;
  return response.payer === undefined || sameAddress(response.payer, payer);
}

/** It asks for money again: the payment was refused, unless it says that the settlement went wrong. */
function askedAgain(requirement: unknown): Settlement {
  const error = (requirement as { error?: unknown } | null)?.error;
  if (typeof error !== 'string') return { kind: 'rejected' };
  if (/pending|unknown|timed? ?out/i.test(error)) return { kind: 'unknown', response: null };
  return /settle/i.test(error) ? { kind: 'failed', response: null } : { kind: 'rejected' };
}
