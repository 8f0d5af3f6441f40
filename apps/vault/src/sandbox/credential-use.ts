import { ok, type Result } from '@countersign/protocol/result';
import type { Operation } from '@countersign/protocol/vault/operation';
import {
  checkFields,
  fieldsNamed,
  parseTemplate,
  type Template,
} from '@countersign/protocol/vault/placeholder';
import type { Caller } from '../callers.ts';
import { noSuchCredential, type Reached } from '../credentials/reached.ts';
import type { SealedCredential } from '../credentials/store.ts';
import { type Refusal, refusal } from '../refusal.ts';
import type { SessionAtCall } from './session-store.ts';

/** A credential as it is now, if it may still be used. */
export async function usableCredential(
  reached: Reached,
  caller: Caller,
  id: string,
  now: Date,
): Promise<Result<SealedCredential, Refusal>> {
  const credential = await reached(caller, { id });
  if (credential === null) return noSuchCredential;
  return credential.expiresAt !== null && credential.expiresAt <= now
    ? refusal('credential_expired', 'the credential has expired')
    : ok(credential);
}

/** Which credential of the session the placeholders of an operation mean; null: it has none. */
export function credentialMeant(
  operation: Operation,
  session: Pick<SessionAtCall, 'credentialIds'>,
): Result<string | null, Refusal> {
  const named = operation.credential_id?.toLowerCase();
  if (named !== undefined && !session.credentialIds.includes(named))
    return refusal('invalid_request', 'credential_id: must be one of the session’s credential_ids');
  if (fieldsNamed(templateOf(operation)).length === 0) return ok(null);
  const only = session.credentialIds.length === 1 ? session.credentialIds[0] : undefined;
  const meant = named ?? only;
  if (meant !== undefined) return ok(meant);
  return session.credentialIds.length === 0
    ? refusal('invalid_request', 'value: has a placeholder, but the session was opened without credentials')
    : refusal('invalid_request', 'credential_id: is required because the session has several credentials');
}

/** Refuses placeholders for fields that the credential does not have. */
export function checkPlaceholders(operation: Operation, { type }: SealedCredential): Result<null, Refusal> {
  const checked = checkFields(templateOf(operation), type);
  return checked.ok ? checked : refusal('invalid_request', `value: ${checked.error}`);
}

function templateOf(operation: Operation): Template {
  if (!('value' in operation) || typeof operation.value !== 'string') return [];
  const template = parseTemplate(operation.value);
  return template.ok ? template.value : [];
}
