import { randomBytes, randomUUID } from 'node:crypto';
import type { SignedReceipt } from '@countersign/protocol/control/execution';
import type { CommandReply } from '@countersign/protocol/enclave/commands';
import { ok } from '@countersign/protocol/result';
import { type Database, openDatabase } from '@countersign/service/database';
import { EnclaveGone } from '@countersign/service/enclave-client';
import { createLogger } from '@countersign/service/logger';
import { createPool, type Pool } from '@countersign/service/sql';
import type { Caller } from '../src/callers.ts';
import { putConnector } from '../src/connectors/store.ts';
import type { Enclave } from '../src/enclave.ts';
import { createExecution } from '../src/executions/create.ts';
import { startExecutions } from '../src/executions/executions.ts';
import { executionHandlers } from '../src/executions/routes.ts';
import { openJobs } from '../src/jobs.ts';
import { insertPolicy } from '../src/policy/store.ts';
import { openSignals } from '../src/signals.ts';
import { schemasHere } from './schemas-here.ts';

const log = createLogger('control-plane', 'silent');
const now = () => new Date();

/** How a run ends: with data, cut off (`null`), or with the enclave gone. */
export type Run = (executionId: string) => Promise<object | null | 'gone'>;

/** The members of requests that are looked at here. */
type Request = {
  readonly executionId?: string;
  readonly claims?: object;
  readonly status?: string;
  readonly problem?: unknown;
  readonly token?: string;
  readonly cutOffBefore?: boolean;
};

/** An enclave whose runs the test decides; the rest it does as if there was nothing to it. */
export function scriptedEnclave() {
  const script: { run: Run; whileGone: (() => void) | null; token: CommandReply<'control.readToken'> } = {
    run: async () => ({}),
    whileGone: null,
    token: { claims: null, expired: false, underWay: false },
  };
  const asked: { command: string; request: Request }[] = [];
  const key = randomBytes(32);
  const proof = { receipt: {} } as SignedReceipt;
  const auditId = () => `audit-${asked.length}`;
  const answers: Record<string, (request: Request) => unknown> = {
    'control.record': () => ({ reply: { auditId: auditId() }, body: Buffer.alloc(0) }),
    'audit.query': () => ({ reply: { items: [], total: 0 }, body: Buffer.alloc(0) }),
    'control.tenantKey': () => ({ reply: {}, body: key }),
    'control.mint': ({ claims }) => {
      const times = { jti: randomUUID(), exp: new Date(Date.now() + 900_000).toISOString() };
      return { reply: { token: `v4.local.${times.jti}`, claims: { ...claims, ...times } } };
    },
    'control.readToken': () => ({ reply: script.token, body: Buffer.alloc(0) }),
    'control.conclude': ({ status, problem }) => ({
      reply: { status, problem, proof, auditId: auditId() },
      body: Buffer.alloc(0),
    }),
  };
  async function run(executionId: string) {
    const data = await script.run(executionId);
    if (data === 'gone') throw new EnclaveGone('gone');
    const ended = data === null ? null : { status: 'completed', problem: null, proof, auditId: auditId() };
    const body = Buffer.from(data === null ? '' : JSON.stringify(data));
    return { reply: { ended, durationMs: 5 }, body };
  }
  const call = async (command: string, request: Request) => {
    if (script.whileGone !== null) {
      script.whileGone();
      throw new EnclaveGone('gone');
    }
    asked.push({ command, request });
    const answer =
      command === 'control.run' ? await run(request.executionId ?? '') : answers[command]?.(request);
    return ok(answer);
  };
  return { script, asked, enclave: { call, connected: () => true } as unknown as Enclave };
}

type Scripted = ReturnType<typeof scriptedEnclave>;

/** A process of the control plane, without its port. */
export async function startProcess(pool: Pool, { enclave }: Scripted, schemas = schemasHere()) {
  const signals = openSignals(pool, log);
  const jobs = await openJobs(pool, signals, log);
  const webhooks = { emit: async () => {} };
  const config = { connectors: { allowPrivate: false }, concurrency: 4 };
  const needs = { pool, enclave, jobs, signals, webhooks, schemas, now, log };
  const parts = await startExecutions(config, needs);
  const create = createExecution(parts);
  const { cancelExecution } = executionHandlers(parts);
  const rest = { headers: new Headers(), query: undefined, address: '' };
  return {
    parts,
    /** As a request over HTTPS would, of which every check has passed. */
    ask: (caller: Caller, key: string, about: object) =>
      create({
        body: {
          policy_id: 'p',
          user_id: 'ann',
          service: 'bank',
          action: 'pay',
          mode: 'sync',
          timeout_seconds: 5,
          params: {},
          ...about,
        },
        headers: new Headers({ 'idempotency-key': key }),
        caller,
        query: undefined,
        params: {},
        address: '',
      }),
    cancel: (caller: Caller, id: string) =>
      cancelExecution({ ...rest, params: { execution_id: id }, body: undefined, caller }),
    stop: async () => {
      await jobs.stop();
      await signals.stop();
    },
  };
}

/** A database of the control plane's own on this server. */
export async function startDatabase(server: string): Promise<Database> {
  const name = `executions_${randomBytes(6).toString('hex')}`;
  const pool = createPool(server, log, 1);
  await pool.query(`create database ${name}`);
  await pool.end();
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  return openDatabase({ kind: 'given', url }, 'control-plane', log);
}

/** A tenant with the connector `bank` and the policy `p`. */
export async function tenantWith(
  pool: Pool,
  { safeToRetry = false, cedar = 'permit(principal, action, resource);' } = {},
): Promise<Caller> {
  const tenantId = randomUUID();
  const about = { tenantId, createdBy: 'admin', createdAt: now() };
  await addPolicy(pool, tenantId, 1, cedar);
  const definition = { actions: { pay: { sql: 'select 1', params: [], read_only: true } } };
  const connector = { id: randomUUID(), service: 'bank', type: 'postgres', credentialId: null } as const;
  await putConnector(pool, { ...about, ...connector, safeToRetry, definition, rotation: null });
  return { keyId: randomUUID(), tenantId, role: 'service', name: 'agent' };
}

/** The next version of the tenant's policy. */
export const addPolicy = (
  pool: Pool,
  tenantId: string,
  version: number,
  cedar: string,
  mode: 'active' | 'log_only' = 'active',
) =>
  insertPolicy(pool, {
    tenantId,
    policyId: 'p',
    version,
    name: 'p',
    mode,
    cedar,
    schema: null,
    hitl: null,
    digest: `sha256:${'0'.repeat(64)}`,
    signature: '',
    createdBy: 'admin',
    createdAt: now(),
  });

/** In the place of the tenant's connector `bank`: one whose body has a schema. */
export async function addHttpConnector(pool: Pool, tenantId: string): Promise<void> {
  const schema = { type: 'object' };
  const definition = {
    openapi: '3.1.0',
    servers: [{ url: 'https://bank.example' }],
    paths: {
      '/pay': { post: { operationId: 'pay', requestBody: { content: { 'application/json': { schema } } } } },
    },
  };
  const about = { id: randomUUID(), tenantId, service: 'bank', type: 'http', credentialId: null } as const;
  const more = { safeToRetry: false, definition, rotation: null, createdBy: 'admin', createdAt: now() };
  await putConnector(pool, { ...about, ...more });
}
