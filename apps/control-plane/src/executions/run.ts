import { randomUUID } from 'node:crypto';
import type { ExecutionProblem } from '@countersign/protocol/control/execution';
import { type Service, sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import { inTransaction, type Pool } from '@countersign/service/sql';
import type { CheckParams, Misfit } from '../connectors/check-params.ts';
import { findConnector, type StoredConnector } from '../connectors/store.ts';
import { findSealed } from '../credentials/store.ts';
import { ask } from '../enclave.ts';
import { isKeyRevoked } from '../keys/store.ts';
import type { JobData, Jobs } from '../jobs.ts';
import { type RotationUse, rotates, rotationUse } from '../rotations/use.ts';
import type { createDeciders } from '../policy/deciders.ts';
import { readParams } from '../policy/params.ts';
import { conclude, describe, type EndParts, finish } from './end.ts';
import { hitlProofOf } from './hitl-proof.ts';
import { judgeAgain, wasConfirmed } from './judge.ts';
import { claim, dropLease, leaseMs, renewLease, takeOverLease } from './leases.ts';
import { enqueue } from './queue.ts';
import { asRevoked } from './revoked.ts';
import { findExecution, holdExecution, queueExecution, type StoredExecution } from './store.ts';

export type RunParts = EndParts & {
  readonly pool: Pool;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly deciderOf: ReturnType<typeof createDeciders>;
  readonly checkParams: CheckParams;
  /** `CONNECTOR_ALLOW_PRIVATE` */
  readonly allowPrivate: boolean;
  readonly log: Logger;
};

/** Attempts at what may be done again, the first one included. */
const maxAttempts = 3;
/** After something failed that is nobody's doing here: enclave or database are gone for a moment. */
const againMs = 2_000;
/** After a schema took too long, which passed once. */
const afterSlowMs = 30_000;
/** So long after it was first put off it is looked at again. */
const maxUncheckedMs = 300_000;
/** Beyond its own limit a run that the enclave does not end is taken for lost. */
const graceMs = 15_000;
const actor = 'control-plane';

/** Brings an execution one step further, as a job: whoever died before, whatever state it is in. */
export const runExecution =
  (parts: RunParts) =>
  async ({ tenantId = '', executionId = '', uncheckedSince }: JobData): Promise<void> => {
    const { pool, jobs, now, log } = parts;
    try {
      const execution = await findExecution(pool, tenantId, executionId);
      if (execution?.status === 'pending') await start(parts, execution, uncheckedSince);
      if (execution?.status === 'running') await takeOver(parts, execution);
    } catch (error) {
      log.warn({ executionId, why: sayWhy(error) }, 'an execution could not go on: will try again');
      const at = new Date(now().getTime() + againMs);
      await enqueue(pool, jobs, { tenantId, id: executionId }, { at });
    }
  };

/** Runs what waits, if who asked still may, the policy still permits it, and its connector is still there. */
async function start(parts: RunParts, execution: StoredExecution, uncheckedSince?: string): Promise<void> {
  const { pool, sealing, now } = parts;
  if (await isKeyRevoked(pool, execution.keyId))
    return refuse(parts, execution, asRevoked.status, asRevoked.problem);
  const text = await sealing.open(execution, 'params', execution.params);
  const connector = await findConnector(pool, execution.tenantId, execution.connectorId);
  if (connector === null) return refuse(parts, execution, 'failed', connectorChanged);
  const use = await rotationUse(pool, execution.id, connector);
  if (use === null) return refuse(parts, execution, 'failed', connectorChanged);
  const { next } = use;
  // A worker that waited for others of this tenant would be kept from all tenants: those it is `alone` with take their turns.
  const misfit =
    next === undefined
      ? await parts.checkParams(
          connector,
          execution.action,
          JSON.parse(text) as Record<string, unknown>,
          'alone',
        )
      : null;
  if (misfit?.kind === 'misfit')
    return refuse(parts, execution, 'failed', { code: 'invalid_params', message: misfit.why });
  if (misfit !== null) return lookAgain(parts, execution, misfit, uncheckedSince);
  const credential = use.credential ?? (await credentialOf(pool, connector));
  if (credential === 'gone') return refuse(parts, execution, 'failed', credentialGone);
  const problem = await whyNotNow(parts, execution, { text, connector });
  if (problem !== null) return refuse(parts, execution, 'denied', problem);
  const { token, jti, exp } = await mint(parts, execution);
  const lease = randomUUID();
  const spent = { executionId: execution.id, lease, jti, token, exp, at: now() };
  if (!(await inTransaction(pool, (db) => claim(db, spent)))) return;
  const running = { ...execution, status: 'running', lease, attempt: execution.attempt + 1, jti } as const;
  await runLeased(
    parts,
    { ...running, tokenSpentAt: spent.at },
    { token, text, connector, credential, next },
  );
}

/**
 * Of the params nothing is known: the schema took too long, as it did not when this was asked for, or has to wait. Later once
 * more, but not for ever.
 */
async function lookAgain(
  parts: RunParts,
  execution: StoredExecution,
  { kind }: Misfit,
  uncheckedSince?: string,
): Promise<void> {
  const now = parts.now().getTime();
  const since = uncheckedSince === undefined ? now : Number(uncheckedSince);
  if (!(now < since + maxUncheckedMs)) return refuse(parts, execution, 'failed', unchecked);
  const at = new Date(now + (kind === 'busy' ? againMs : afterSlowMs));
  return enqueue(parts.pool, parts.jobs, execution, { at, uncheckedSince: `${since}` });
}

const unchecked: ExecutionProblem = {
  code: 'schema_check_unavailable',
  message:
    'params could not be checked against the schema of the definition in time, though nothing may be wrong with them: ' +
    'nothing was sent; try again with a new Idempotency-Key',
};

const connectorChanged: ExecutionProblem = {
  code: 'connector_changed',
  message: 'the connector that existed when this was requested no longer exists',
};

const credentialGone: ExecutionProblem = {
  code: 'credential_unusable',
  message: 'the connector’s credential no longer exists',
};

/** Returns the sealed credential; null if the connector needs none. */
async function credentialOf(pool: Pool, { tenantId, credentialId }: StoredConnector) {
  return credentialId === null ? null : ((await findSealed(pool, tenantId, credentialId)) ?? 'gone');
}

type Asked = { readonly text: string; readonly connector: StoredConnector };
type Prepared = Asked & {
  readonly token: string;
  readonly credential: Awaited<ReturnType<typeof findSealed>>;
  readonly next: RotationUse['next'];
};

async function whyNotNow(
  { pool, deciderOf }: RunParts,
  execution: StoredExecution,
  { text, connector }: Asked,
) {
  const params = readParams(JSON.parse(text));
  if (!params.ok) throw new Error('params were stored that no policy can read');
  return judgeAgain(pool, deciderOf, execution, { params: params.value, connector });
}

function refuse(
  parts: RunParts,
  { tenantId, id }: StoredExecution,
  status: 'failed' | 'denied' | 'cancelled',
  problem: ExecutionProblem,
): Promise<void> {
  return inTransaction(parts.pool, async (db) => {
    const held = await holdExecution(db, tenantId, id);
    if (held?.status === 'pending') await conclude(parts, db, held, { status, problem, actor });
  });
}

async function mint({ enclave }: RunParts, execution: StoredExecution) {
  const { token, claims } = await ask(enclave, 'control.mint', {
    claims: {
      sub: { tenant: execution.tenantId, agent: execution.createdBy, user: execution.userId },
      aud: execution.service,
      execution_id: execution.id,
      policy_id: execution.policyId,
      policy_version: execution.policyVersion,
      action: execution.action,
      params_hash: execution.paramsHash,
      hitl_confirmed: wasConfirmed(execution),
      risk_tier: execution.riskTier,
    },
  });
  return { token, jti: claims.jti, exp: new Date(claims.exp) };
}

/** Runs it, and says so as long as it does. */
async function runLeased(parts: RunParts, execution: StoredExecution, prepared: Prepared): Promise<void> {
  const renewal = keepLease(parts, execution);
  const answer = await run(parts, execution, prepared).catch((error: unknown) => {
    parts.log.warn({ executionId: execution.id, why: sayWhy(error) }, 'a run was cut off');
    return null;
  });
  await renewal.stop();
  if (answer === null || answer.reply.ended === null) return settleCutOff(parts, execution);
  const { ended, durationMs } = answer.reply;
  await inTransaction(parts.pool, (db) =>
    finish(parts, db, execution, { ended, body: answer.body, durationMs }),
  ).catch(async (error: unknown) => {
    await giveUp(parts, execution);
    throw error;
  });
}

function keepLease({ pool, log }: RunParts, { id, lease }: StoredExecution): Service {
  return repeat(log, 'renew a lease', leaseMs / 4, async () => {
    if (lease !== null) await renewLease(pool, id, lease);
  });
}

async function run(
  parts: RunParts,
  execution: StoredExecution,
  { text, connector: { type, definition, safeToRetry }, token, credential, next }: Prepared,
) {
  const { pool, enclave, allowPrivate } = parts;
  const timeoutMs = execution.timeoutSeconds * 1000;
  const running = enclave.call(
    'control.run',
    {
      ...describe(execution, await hitlProofOf(pool, execution)),
      token,
      connector: { type, definition },
      ...(credential !== null && { credential }),
      ...(next !== undefined && { next }),
      safeToRetry: safeToRetry && next === undefined,
      cutOffBefore: execution.attempt > 1,
      allowPrivate,
      timeoutMs,
    },
    Buffer.from(text),
  );
  const answer = await within(timeoutMs + graceMs, running);
  if (!answer.ok) throw new Error(`the enclave refused control.run: ${answer.error.code}`);
  return answer.value;
}

/** Resolves with the promise's value; rejects if it takes longer. */
function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the enclave did not end it in time')), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Takes the place of a process that died with it; a live one is left alone, and looked at again. */
async function takeOver(parts: RunParts, execution: StoredExecution): Promise<void> {
  const mine = await takeOverLease(parts.pool, execution, randomUUID());
  if (mine === null) throw new Error('another process runs it, or did until just now');
  await settleCutOff(parts, mine);
}

/**
 * Settles an execution that was cut off: runs it again if that is safe, otherwise ends it with what the
 * enclave knows.
 */
async function settleCutOff(parts: RunParts, execution: StoredExecution): Promise<void> {
  const { pool, jobs } = parts;
  const connector = await findConnector(pool, execution.tenantId, execution.connectorId);
  const mayAgain = connector?.safeToRetry === true && execution.attempt < maxAttempts;
  const isLeft = (await isKeyRevoked(pool, execution.keyId)) || (await rotates(pool, execution.id));
  const again = mayAgain && !isLeft;
  await inTransaction(pool, async (db) => {
    if (!again) await conclude(parts, db, execution, { ...nobodyKnows, actor });
    else if ((await queueExecution(db, execution)) !== null) await enqueue(db, jobs, execution);
  }).catch(async (error: unknown) => {
    await giveUp(parts, execution);
    throw error;
  });
}

const nobodyKnows = {
  status: 'outcome_unknown',
  problem: { code: 'outcome_unknown', message: 'it was interrupted: ask the service whether it was done' },
} as const;

/** Lets the next one have it at once. */
async function giveUp({ pool, log }: RunParts, { id, lease }: StoredExecution): Promise<void> {
  if (lease === null) return;
  await dropLease(pool, id, lease).catch((error: unknown) =>
    log.warn({ executionId: id, why: sayWhy(error) }, 'a lease could not be given up: it will end by itself'),
  );
}
