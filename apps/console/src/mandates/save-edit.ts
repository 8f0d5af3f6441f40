import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { ok, type Result } from '@countersign/protocol/result';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/endpoint.ts';
import type { Problem } from '../api/problem.ts';
import { type Edit, sameAmount } from './edit.ts';

export type ToSign = AnswerOf<'POST /api/mandates/intent/update'>;

/**
 * Sends what was changed and nothing else, because a limit that is sent voids the signature even when it is the same.
 * Gives what must be signed now; null when nothing must.
 */
export async function saveEdit(mandate: Mandate, edit: Edit): Promise<Result<ToSign | null, Problem>> {
  const mandateId = mandate.id;
  const title = edit.title.trim();
  const { perTxLimit, totalBudget } = edit;
  const isRenamed = title !== mandate.title.trim();
  if (!sameAmount(perTxLimit, mandate.perTxLimit)) {
    const body = { mandateId, ...(isRenamed && { title }), perTxLimit, totalBudget };
    return call('POST /api/mandates/intent/update', { body });
  }
  if (isRenamed) {
    const renamed = await call('POST /api/mandates/intent/update', { body: { mandateId, title } });
    if (!renamed.ok) return renamed;
  }
  if (sameAmount(totalBudget, mandate.totalBudget)) return ok(null);
  const adjusted = await call('POST /api/mandates/intent/adjust', { body: { mandateId, totalBudget } });
  if (!adjusted.ok) return adjusted;
  return ok('typedData' in adjusted.value ? adjusted.value : null);
}
