import { randomUUID } from 'node:crypto';
import type { CommandReply, EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { ok, type Result } from '@countersign/protocol/result';
import { operation as operationSchema, type Operation } from '@countersign/protocol/vault/operation';
import type { OperationResult } from '@countersign/protocol/vault/sandbox';
import { parseInput } from '@countersign/service/http-input';
import type { Logger } from '@countersign/service/logger';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { actorOf, agentActing, type Caller, isPerson, type VaultHandlers } from '../callers.ts';
import type { Reached } from '../credentials/reached.ts';
import { asLogin } from '@countersign/protocol/vault/credential-use';
import { insertUse } from '../credentials/use-store.ts';
import { tellSessions } from '../credentials/tell-sessions.ts';
import type { Enclave } from '../enclave.ts';
import { isUuid } from '@countersign/service/uuid';
import { type Refusal, refusal } from '../refusal.ts';
import type { Answered } from './answered.ts';
import { approvalHandler, notWaiting } from './approval.ts';
import { credentialMeant } from './credential-use.ts';
import type { SessionEnclave } from './enclave-session.ts';
import { type Lent, lend, sent } from './lend.ts';
import {
  deleteOperation,
  findOperation,
  insertOperation,
  interruptOperation,
  listOperations,
  type NewOperation,
  type OperationRow,
  settleOperation,
} from './operation-store.ts';
import { createSessionAtCall, noSuchSession, type SessionReached, whyNotActive } from './reached.ts';
import type { Session, SessionAtCall } from './session-store.ts';
import { showOperation } from './show.ts';

type Learned = NonNullable<CommandReply<'session.operate'>['learned']>;

type Parts = {
  readonly log: Logger;
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly sessions: SessionEnclave;
  readonly sessionReached: SessionReached;
  readonly reached: Reached;
  readonly answered: Pick<Answered, 'add'>;
  readonly now: () => Date;
};

type OperationHandlers = Pick<
  VaultHandlers,
  'executeOperation' | 'listOperations' | 'getApproval' | 'decideOperation'
>;

/** Operations of agents, and what people say of those that wait. */
export function operationHandlers(parts: Parts): OperationHandlers {
  const { pool, sessionReached } = parts;
  const sessionAtCall = createSessionAtCall(sessionReached);
  return {
    async executeOperation({ params, body, caller }) {
      const operation = readOperation(body);
      if (!operation.ok) return operation;
      const session = await sessionAtCall(caller, params);
      if (session === null) return noSuchSession;
      const notActive = whyNotActive(session);
      if (notActive !== null) return notActive;
      const meant = credentialMeant(operation.value, session);
      return meant.ok ? execute(parts, session, caller, operation.value, meant.value) : meant;
    },

    async listOperations({ params, query, caller }) {
      const session = await sessionReached(caller, params);
      if (session === null) return noSuchSession;
      const { agent_did: agentDid = null, actor = null, ...page } = query;
      const { items, total } = await listOperations(pool, { sessionId: session.id, agentDid, actor }, page);
      return ok({ items: items.map(showOperation), total });
    },

    getApproval: approvalHandler(parts),

    async decideOperation({ params, body, caller }) {
      const session = await sessionReached(caller, params);
      if (session === null) return noSuchSession;
      if (!isPerson(caller))
        return refusal('insufficient_scope', 'only a person who is logged in can decide');
      const id = params['operation_id'] ?? '';
      const asked = isUuid(id) ? await findOperation(pool, id, session.id) : null;
      if (asked === null) return refusal('not_found', 'operation not found in this session');
      if (asked.status !== 'pending_approval') return notWaiting;
      const notActive = whyNotActive(session);
      return notActive ?? decide(parts, session, caller, asked, body.decision);
    },
  };
}

function readOperation(body: unknown): Result<Operation, Refusal> {
  const read = parseInput(operationSchema, body);
  return read.ok ? read : refusal('invalid_request', read.error.msg);
}

/** Who did it, as its line in the log has it. */
export const whoDid = (caller: Caller, session: SessionAtCall) => ({
  tokenId: caller.tokenId,
  actor: actorOf(caller),
  agentDid: agentActing(caller, session) ?? null,
});

/** Keeps the operation, lets the enclave review and run it, and keeps what came of it. */
async function execute(
  parts: Parts,
  session: SessionAtCall,
  caller: Caller,
  operation: Operation,
  credentialId: string | null,
): Promise<Result<OperationResult, Refusal>> {
  const { pool, sessions, now } = parts;
  const credential = await lend(parts, caller, operation, credentialId);
  if (!credential.ok) return credential;
  const id = randomUUID();
  const who = whoDid(caller, session);
  const about = { id, sessionId: session.id, ...who, operation, credentialId, at: now() };
  await insertOperation(pool, about);
  const named = credentialId === null ? operation : { ...operation, credential_id: credentialId };
  try {
    const answer = await withFreshCredential(parts, caller, about, credential.value, (lent) =>
      sessions.ask('session.operate', session, caller, {
        operationId: id,
        operation: named,
        ...sent(lent),
      }),
    );
    if (answer.ok) return await settled(parts, caller, about, answer.value.reply, null);
    if (nothingHappened(answer.error)) await deleteOperation(pool, id);
    return 'msg' in answer.error
      ? { ok: false, error: answer.error }
      : await sessions.whyNot('session.operate', session, answer.error);
  } catch (error) {
    await interruptOperation(pool, id);
    throw error;
  }
}

async function decide(
  parts: Parts,
  session: Session,
  caller: Caller,
  asked: OperationRow,
  decision: 'approve' | 'reject',
): Promise<Result<OperationResult, Refusal>> {
  const { sessions } = parts;
  const needed = decision === 'approve' ? asked.credentialId : null;
  const credential = await lend(parts, caller, asked.operation, needed);
  if (!credential.ok) return credential;
  const answer = await withFreshCredential(parts, caller, asked, credential.value, (lent) =>
    sessions.ask('session.decide', session, caller, {
      operationId: asked.id,
      decision,
      ...sent(lent),
    }),
  );
  if (answer.ok) return settled(parts, caller, asked, answer.value.reply, actorOf(caller));
  if ('msg' in answer.error) return { ok: false, error: answer.error };
  if (answer.error.code === 'INVALID_COMMAND') return notWaiting;
  return sessions.whyNot('session.decide', session, answer.error);
}

/** Asks once more with the credential read anew: it may have been put under a new root secret meanwhile. */
async function withFreshCredential<T>(
  parts: Parts,
  caller: Caller,
  { operation, credentialId }: Pick<OperationRow, 'operation' | 'credentialId'>,
  lent: Lent | null,
  ask: (lent: Lent | null) => Promise<Result<T, EnclaveRefusal>>,
): Promise<Result<T, EnclaveRefusal | Refusal>> {
  const answer = await ask(lent);
  if (answer.ok || answer.error.code !== 'CANNOT_DECRYPT') return answer;
  const fresh = await lend(parts, caller, operation, credentialId);
  return fresh.ok ? ask(fresh.value) : fresh;
}

/** Keeps what came of it; where its secret was allowed for the first time, that too, before it is answered. */
async function settled(
  parts: Parts,
  caller: Caller,
  asked: NewOperation,
  { operation: done, learned }: CommandReply<'session.operate'>,
  decidedBy: string | null,
): Promise<Result<OperationResult, Refusal>> {
  await settleOperation(parts.pool, asked, done, decidedBy);
  // One that waits for a person may still end in other ways.
  if (done.status !== 'pending_approval') parts.answered.add(asked.id);
  if (learned !== undefined && asked.credentialId !== null)
    await learn(parts, caller, asked.credentialId, learned, decidedBy).catch((err: unknown) => {
      // It was done all the same: whoever is told that it failed does it twice.
      parts.log.warn({ err }, 'where a credential was used could not be kept: it is asked about again');
    });
  return ok({ ...done, result: done.result ?? null });
}

const learn = (
  { pool, enclave, now }: Parts,
  caller: Caller,
  credentialId: string,
  learned: Learned,
  decidedBy: string | null,
): Promise<void> =>
  inTransaction(pool, async (db) => {
    await insertUse(db, credentialId, learned, { allowedBy: decidedBy ?? asLogin, at: now() });
    await tellSessions(db, enclave, caller, credentialId);
  });

const harmless: readonly string[] = ['SESSION_NOT_ACTIVE', 'NOT_FOUND', 'CANNOT_DECRYPT', 'INVALID_COMMAND'];

/** Returns whether the enclave refused before it did anything; of other refusals nobody knows. */
const nothingHappened = (why: EnclaveRefusal | Refusal): boolean =>
  'msg' in why || harmless.includes(why.code);
