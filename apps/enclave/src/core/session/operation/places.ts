import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { ok, type Result } from '@countersign/protocol/result';
import { asLogin, type Place } from '@countersign/protocol/vault/credential-use';
import { mask } from '../../masking/masker.ts';
import type { Session } from '../session.ts';
import type { Attempt } from './attempt.ts';
import type { Reviewed } from './reviewed.ts';

/** Returns where the secret of an operation would go. */
export const placeOf = ({ facts: { place } }: Reviewed): Place | null =>
  place && { origin: place.origin, path: place.path, method: place.method, field: place.field };

/**
 * The place that was allowed for the first time: by a person, or as a log-in. What an identity credential is typed into
 * without a question is none, else it might be presented there by script. Nor is one that is masked, which nobody would
 * know again.
 */
function learnedFrom(reviewed: Reviewed, approvedBy: string | null): Place | null {
  const place = placeOf(reviewed);
  if (place === null || reviewed.facts.place?.known === true) return null;
  if (approvedBy === null && reviewed.facts.place?.looksLikeLogin !== true) return null;
  return [place.origin, place.path, place.field].some((text) => text.includes(mask)) ? null : place;
}

/** The place that an operation taught, once it is on disk who allowed it; null where it taught none. */
export async function learn(
  session: Session,
  { who, approvedBy, meant, operationId }: Attempt,
  reviewed: Reviewed,
  wasDone: boolean,
): Promise<Result<Place | null, EnclaveRefusal>> {
  const place = wasDone || approvedBy !== null ? learnedFrom(reviewed, approvedBy) : null;
  if (place === null) return ok(null);
  const recorded = await session.record({
    eventType: 'credential_use_allowed',
    who: { ...who, actor: approvedBy ?? who.actor },
    ...(meant !== null && { credentialId: meant.credentialId }),
    detail: { operationId, ...place, allowedBy: approvedBy ?? asLogin },
  });
  return recorded.ok ? ok(place) : recorded;
}
