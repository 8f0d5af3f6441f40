import type { CommandReply } from '@countersign/protocol/enclave/commands';
import { ok } from '@countersign/protocol/result';
import { covers } from '@countersign/protocol/vault/scopes';
import type { Pool } from '@countersign/service/sql';
import { isUuid } from '@countersign/service/uuid';
import type { Caller, VaultHandlers } from '../callers.ts';
import { refusal } from '../refusal.ts';
import type { SessionEnclave } from './enclave-session.ts';
import { findOperation } from './operation-store.ts';
import { noSuchSession, type SessionReached, whyNotActive } from './reached.ts';
import type { Session } from './session-store.ts';
import { showOperation } from './show.ts';

type Parts = {
  readonly pool: Pool;
  readonly sessions: Pick<SessionEnclave, 'ask' | 'whyNot'>;
  readonly sessionReached: SessionReached;
};

export const notWaiting = refusal(
  'invalid_request',
  'the operation is not waiting for approval, or no longer is',
);

/**
 * Returns the question that a person is asked. For people only: an agent must not see how it is presented.
 */
export function approvalHandler({ pool, sessions, sessionReached }: Parts): VaultHandlers['getApproval'] {
  return async ({ params, caller }) => {
    const session = await sessionReached(caller, params);
    if (session === null) return noSuchSession;
    if (!isPersonOf(caller, session))
      return refusal('insufficient_scope', 'only a login of a person who may decide can use this');
    const id = params['operation_id'] ?? '';
    const row = isUuid(id) ? await findOperation(pool, id, session.id) : null;
    if (row === null) return refusal('not_found', 'operation not found in this session');
    const { status } = row;
    if (status !== 'pending_approval') return notWaiting;
    const asked = await sessions.ask('session.approval', session, caller, { operationId: id });
    if (!asked.ok) {
      if (asked.error.code === 'INVALID_COMMAND') return notWaiting;
      return whyNotActive(session) ?? sessions.whyNot('session.approval', session, asked.error);
    }
    const { operation_id, selector, value, review, at } = showOperation({ ...row, status });
    const { operation_type: type } = row.operation;
    const { reply, body } = asked.value;
    return ok({
      operation_id,
      operation: { type, selector, value },
      review,
      ...(reply.place !== null && { place: reply.place }),
      ...secretsIn(reply),
      image: body.length === 0 ? null : body.toString('base64'),
      left: reply.left,
      requested_at: at,
    });
  };
}

function secretsIn({ secrets = [] }: CommandReply<'session.approval'>) {
  if (secrets.length === 0) return {};
  return { secrets: secrets.map(({ credentialId, ...rest }) => ({ credential_id: credentialId, ...rest })) };
}

/** Somebody who logged in, and may decide. */
const isPersonOf = (caller: Caller, session: Session): boolean =>
  caller.family !== null && (caller.account === session.account || covers(caller.scopes, 'admin'));
