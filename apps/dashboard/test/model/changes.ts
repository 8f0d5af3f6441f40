import type { Policy } from './policy.ts';
import { codeOfState, heldOf, type Model, type ModelMandate, statusOf, success } from './reference.ts';

// What the owner may change, in the reference: each gives the code of the wire.

export type Terms = { readonly perTx?: bigint | undefined; readonly total?: bigint | undefined };

/** The code that a mandate which is not live answers; null when it is pending or active. */
function whyNotLive(model: Model, mandate: ModelMandate): number | null {
  if (mandate.deleted) return 80000053;
  const status = statusOf(model, mandate);
  return status === 'pending' || status === 'active' ? null : codeOfState[status];
}

const spent = (model: Model, mandate: ModelMandate): bigint => mandate.used + heldOf(model, mandate);

/** A new message: whatever was signed before fits it no more. */
function unsign(mandate: ModelMandate): void {
  mandate.status = mandate.used >= mandate.total ? 'exhausted' : 'pending';
  mandate.signed = null;
  mandate.expiresAt += 1;
}

export function update(model: Model, mandate: ModelMandate, { perTx, total }: Terms): number {
  if (perTx === undefined && total === undefined) return mandate.deleted ? 80000053 : success;
  const why = whyNotLive(model, mandate);
  if (why !== null) return why;
  const terms = { perTx: perTx ?? mandate.perTx, total: total ?? mandate.total };
  if (terms.perTx > terms.total) return 80000056;
  if (terms.total < spent(model, mandate)) return 80000057;
  Object.assign(mandate, terms);
  unsign(mandate);
  return success;
}

export function adjust(model: Model, mandate: ModelMandate, total: bigint): number {
  const why = whyNotLive(model, mandate);
  if (why !== null) return why;
  if (total < spent(model, mandate)) return 80000057;
  mandate.total = total;
  if (mandate.signed === null || total > mandate.signed) unsign(mandate);
  else if (mandate.used >= total) mandate.status = 'exhausted';
  return success;
}

/** Adds nothing: the successor's id is the system's to tell. */
export function renew(model: Model, mandate: ModelMandate): number {
  if (mandate.deleted) return 80000053;
  const status = statusOf(model, mandate);
  if (status === 'active') return 80000003;
  return status === 'pending' ? 80000053 : success;
}

export function remove(model: Model, mandate: ModelMandate): number {
  if (mandate.deleted) return 80000053;
  if (statusOf(model, mandate) === 'active') return 80000004;
  mandate.deleted = true;
  return success;
}

export function setPolicy(model: Model, mandate: ModelMandate, policy: Policy): number {
  const why = whyNotLive(model, mandate);
  if (why !== null) return why;
  mandate.policy = policy;
  return success;
}
