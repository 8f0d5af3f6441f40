import type { RotationState } from '@countersign/protocol/control/rotation';
import type { Queryable } from '@countersign/service/sql';
import { findConnector } from '../connectors/store.ts';
import { holdCredential, useValue } from '../credentials/held.ts';
import { type Credential } from '../credentials/store.ts';
import { ask, type Enclave } from '../enclave.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { answerOf, outcomeOf, type RotationEvent, step } from './life.ts';
import { holdRotation, nextValueOf, rotationOf, setState, type StoredRotation } from './store.ts';

export type SettleParts = {
  readonly enclave: Enclave;
  readonly webhooks: Pick<Webhooks, 'emit'>;
  readonly now: () => Date;
};

/** An execution that ended. */
type Ended = { readonly id: string } & Parameters<typeof outcomeOf>[0];

/**
 * Advances a rotation whose operation or newest check has ended, in the transaction that ends that execution.
 */
export async function settleRotation(parts: SettleParts, db: Queryable, ended: Ended): Promise<void> {
  const found = await rotationOf(db, ended.id);
  if (found === null) return;
  const credential = await holdCredential(db, found.tenantId, found.credentialId);
  const rotation = await holdRotation(db, found.credentialId, found.id);
  if (credential === null || rotation === null) return;
  const event = await eventOf(db, rotation, ended);
  await move(parts, db, { credential, rotation }, event, 'control-plane');
}

async function eventOf(db: Queryable, rotation: StoredRotation, ended: Ended): Promise<RotationEvent> {
  if (ended.id !== rotation.executionId) return { of: 'check', answer: answerOf(ended) };
  const connector = await findConnector(db, rotation.tenantId, rotation.connectorId);
  const check = connector?.rotation?.check_action !== undefined;
  return { of: 'operation', outcome: outcomeOf(ended), check };
}

export type Held = { readonly credential: Credential; readonly rotation: StoredRotation };

/**
 * Applies an event to a rotation, and records and reports it, in a transaction that holds both; null if it
 * does not apply.
 */
export async function move(
  parts: SettleParts,
  db: Queryable,
  { credential, rotation }: Held,
  event: RotationEvent,
  actor: string,
): Promise<StoredRotation | null> {
  const state = step(rotation.state, event);
  if (state === null) return null;
  if (state === 'checking') return check(parts, db, { credential, rotation }, event, actor);
  if (state === 'confirmed') await useNext(parts, db, { credential, rotation }, actor);
  const { enclave, webhooks, now } = parts;
  await ask(enclave, 'control.record', { draft: recordOf(credential, rotation, state, actor) });
  const moved = await setState(db, rotation, state, now());
  const type = eventTypes[state];
  if (type !== null) await webhooks.emit(db, { type, ...about(credential, moved) });
  return moved;
}

/** Who had it checked once more is on record; the check that follows an operation is part of what was asked for with it. */
async function check(
  { enclave, now }: SettleParts,
  db: Queryable,
  { credential, rotation }: Held,
  event: RotationEvent,
  actor: string,
): Promise<StoredRotation> {
  if (event.of === 'person') {
    const draft = recordOf(credential, rotation, 'checking', actor);
    await ask(enclave, 'control.record', {
      draft: { ...draft, eventType: 'credential_rotation_check_asked' as const },
    });
  }
  return setState(db, rotation, 'checking', now());
}

/** From the end of the transaction on the next value is the one in use. */
async function useNext(
  { enclave, now }: SettleParts,
  db: Queryable,
  { credential, rotation }: Held,
  actor: string,
): Promise<void> {
  const next = await nextValueOf(db, rotation.id);
  if (next === null) throw new Error('the next value of a rotation that is open is gone');
  const { id: credentialId, tenantId, namespace, label, kind: type, fingerprint: before } = credential;
  const { version, fingerprint } = rotation;
  const detail = { namespace, label, type, version, fingerprint, because: 'rotation', before };
  const draft = { eventType: 'credential_updated' as const, tenantId, credentialId, actor, detail };
  await ask(enclave, 'control.record', { draft });
  await useValue(db, credential, { ...next, fingerprint, certificateExpiresAt: null }, now());
}

const eventTypes = {
  running: null,
  confirmed: 'credential.rotated',
  failed: 'credential.rotation_failed',
  unresolved: 'credential.rotation_failed',
  superseded: null,
} as const satisfies Record<Exclude<RotationState, 'checking'>, string | null>;

const about = (
  { id, tenantId, namespace, label }: Credential,
  { id: rotation_id, state, version, executionId }: StoredRotation,
) => ({
  tenantId,
  data: { credential_id: id, namespace, label, rotation_id, state, version, execution_id: executionId },
});

const recordOf = (
  { id: credentialId, tenantId }: Credential,
  { id: rotation_id, version, fingerprint, executionId, checkId }: StoredRotation,
  state: RotationState,
  actor: string,
) => ({
  eventType: 'credential_rotation_ended' as const,
  tenantId,
  credentialId,
  actor,
  detail: { rotation_id, state, version, fingerprint, execution_id: executionId, check_id: checkId },
});
