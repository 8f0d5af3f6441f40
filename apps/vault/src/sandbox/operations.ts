import { randomUUID } from 'node:crypto';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { ok, type Result } from '@countersign/protocol/result';
import { operation as operationSchema, type Operation } from '@countersign/protocol/vault/operation';
import type { OperationResult } from '@countersign/protocol/vault/sandbox';
import { covers } from '@countersign/protocol/vault/scopes';
import { parseInput } from '@countersign/service/http-input';
import type { Pool } from '@countersign/service/sql';
import { actorOf, type Caller, type VaultHandlers } from '../callers.ts';
import type { Reached } from '../credentials/reached.ts';
import { envelopeOf } from '../credentials/envelope-row.ts';
import { bindingOf, type SealedCredential } from '../credentials/store.ts';
import { isUuid } from '@countersign/service/uuid';
import { type Refusal, refusal } from '../refusal.ts';
import { checkPlaceholders, credentialMeant, usableCredential } from './credential-use.ts';
import type { SessionEnclave } from './enclave-session.ts';
import {
  deleteOperation,
  findOperation,
  insertOperation,
  interruptOperation,
  listOperations,
  type OperationRow,
  settleOperation,
} from './operation-store.ts';
import { noSuchSession, type SessionReached, whyNotActive } from './reached.ts';
import type { Session } from './session-store.ts';
import { showOperation } from './show.ts';

type Parts = {
  readonly pool: Pool;
  readonly sessions: SessionEnclave;
  readonly sessionReached: SessionReached;
  readonly reached: Reached;
  readonly now: () => Date;
};

type OperationHandlers = Pick<VaultHandlers, 'executeOperation' | 'listOperations' | 'decideOperation'>;

/** Operations of agents, and what people say of those that wait. */
export function operationHandlers(parts: Parts): OperationHandlers {
  const { pool, sessionReached } = parts;
  return {
    async executeOperation({ params, body, caller }) {
      const operation = readOperation(body);
      if (!operation.ok) return operation;
      const session = await sessionReached(caller, params);
      if (session === null) return noSuchSession;
      const notActive = whyNotActive(session);
      if (notActive !== null) return notActive;
      const meant = credentialMeant(operation.value, session);
      return meant.ok ? execute(parts, session, caller, operation.value, meant.value) : meant;
    },

    async listOperations({ params, query, caller }) {
      const session = await sessionReached(caller, params);
      if (session === null) return noSuchSession;
      const { items, total } = await listOperations(pool, session.id, query);
      return ok({ items: items.map(showOperation), total });
    },

    async decideOperation({ params, body, caller }) {
      const session = await sessionReached(caller, params);
      if (session === null) return noSuchSession;
      if (!ownsOrAdministers(caller, session))
        return refusal(
          'insufficient_scope',
          'deciding needs the scope admin, or the login of the account that opened the session',
        );
      const id = params['operation_id'] ?? '';
      const asked = isUuid(id) ? await findOperation(pool, id, session.id) : null;
      if (asked === null) return refusal('not_found', 'there is no such operation in the session');
      // What an agent was given is not a person, whatever its scopes.
      if (caller.family === null && caller.tokenId === asked.tokenId)
        return refusal('insufficient_scope', 'the token that asked for an operation cannot decide it');
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

const notWaiting = refusal('invalid_request', 'the operation does not wait for a person, or no more');

const ownsOrAdministers = (caller: Caller, session: Session): boolean =>
  covers(caller.scopes, 'admin') || (caller.family !== null && caller.account === session.account);

/** Keeps the operation, lets the enclave review and run it, and keeps what came of it. */
async function execute(
  parts: Parts,
  session: Session,
  caller: Caller,
  operation: Operation,
  credentialId: string | null,
): Promise<Result<OperationResult, Refusal>> {
  const { pool, sessions, now } = parts;
  const credential = await credentialOf(parts, caller, operation, credentialId);
  if (!credential.ok) return credential;
  const id = randomUUID();
  const about = { id, sessionId: session.id, tokenId: caller.tokenId, operation, credentialId, at: now() };
  await insertOperation(pool, about);
  const named = credentialId === null ? operation : { ...operation, credential_id: credentialId };
  try {
    const answer = await withFreshCredential(parts, caller, about, credential.value, (opened) =>
      sessions.ask('session.operate', session, caller, {
        operationId: id,
        operation: named,
        ...sealed(opened),
      }),
    );
    if (answer.ok) return await settled(pool, answer.value.reply.operation, null);
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
  const { pool, sessions } = parts;
  const needed = decision === 'approve' ? asked.credentialId : null;
  const credential = await credentialOf(parts, caller, asked.operation, needed);
  if (!credential.ok) return credential;
  const answer = await withFreshCredential(parts, caller, asked, credential.value, (opened) =>
    sessions.ask('session.decide', session, caller, {
      operationId: asked.id,
      decision,
      ...sealed(opened),
    }),
  );
  if (answer.ok) return settled(pool, answer.value.reply.operation, actorOf(caller));
  if ('msg' in answer.error) return { ok: false, error: answer.error };
  if (answer.error.code === 'INVALID_COMMAND') return notWaiting;
  return sessions.whyNot('session.decide', session, answer.error);
}

/** The credential that the placeholders mean, as it is stored now. */
async function credentialOf(
  { reached, now }: Parts,
  caller: Caller,
  operation: Operation,
  id: string | null,
): Promise<Result<SealedCredential | null, Refusal>> {
  if (id === null) return ok(null);
  const credential = await usableCredential(reached, caller, id, now());
  if (!credential.ok) return credential;
  const known = checkPlaceholders(operation, credential.value);
  return known.ok ? credential : known;
}

/** Asks once more with the credential read anew: it may have been put under a new root secret meanwhile. */
async function withFreshCredential<T>(
  parts: Parts,
  caller: Caller,
  { operation, credentialId }: Pick<OperationRow, 'operation' | 'credentialId'>,
  credential: SealedCredential | null,
  ask: (credential: SealedCredential | null) => Promise<Result<T, EnclaveRefusal>>,
): Promise<Result<T, EnclaveRefusal | Refusal>> {
  const answer = await ask(credential);
  if (answer.ok || answer.error.code !== 'CANNOT_DECRYPT') return answer;
  const fresh = await credentialOf(parts, caller, operation, credentialId);
  return fresh.ok ? ask(fresh.value) : fresh;
}

const sealed = (credential: SealedCredential | null) =>
  credential === null
    ? {}
    : { credential: { binding: bindingOf(credential), envelope: envelopeOf(credential) } };

async function settled(
  pool: Pool,
  done: OperationResult,
  decidedBy: string | null,
): Promise<Result<OperationResult, Refusal>> {
  await settleOperation(pool, done, decidedBy);
  return ok({ ...done, result: done.result ?? null });
}

const harmless: readonly string[] = ['SESSION_NOT_ACTIVE', 'NOT_FOUND', 'CANNOT_DECRYPT', 'INVALID_COMMAND'];

/** Whether the enclave refused before it did anything; of other refusals nobody knows. */
const nothingHappened = (why: EnclaveRefusal | Refusal): boolean =>
  'msg' in why || harmless.includes(why.code);
