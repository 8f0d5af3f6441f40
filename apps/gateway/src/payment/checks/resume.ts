import { ok, type Result } from '@countersign/protocol/result';
import type { PaymentEntry } from '../../ports/payment-entry.ts';
import type { Judged } from './judge.ts';

/**
 * A payment that has left holds its share of the budget, and its payee has the signature: the same call again is not
 * held against what is left once more, but sends that very payment. Every other refusal stays one.
 */
export function resume<E>(
  judged: Result<Judged, E>,
  earlier: Pick<PaymentEntry, 'mandateId'> | null,
): Result<Judged, E> {
  if (!judged.ok || earlier === null || judged.value.decision.kind !== 'ask-owner') return judged;
  const { checkedAt } = judged.value.assurance;
  const { mandateId } = earlier;
  return ok({
    ...judged.value,
    assurance: { passed: true, checkedAt, ...(mandateId !== null && { mandateId }) },
    decision: { kind: 'pay', mandateId, budget: null, resumes: true },
  });
}
