import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import type { Database } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import { createPool } from '@countersign/service/sql';
import {
  addHttpConnector,
  addPolicy,
  scriptedEnclave,
  startDatabase,
  startProcess,
  tenantWith,
} from '../../test/scripted-enclave.ts';
import { schemasHere } from '../../test/schemas-here.ts';
import type { Caller } from '../callers.ts';
import { insertCredential } from '../credentials/store.ts';
import { createExecution, type CreateParts } from '../executions/create.ts';
import { rotationHandlers } from '../rotations/routes.ts';
import type { CheckParams } from './check-params.ts';
import { connectorHandlers } from './routes.ts';

let database: Database;
beforeAll(async () => {
  database = await startDatabase(inject('databaseUrl'));
});
afterAll(() => database?.close());

const now = () => new Date('2026-11-26T12:00:00Z');
const envelope = { root: 1, salt: '', nonce: '', ciphertext: '' };

async function newCredential(tenantId: string): Promise<string> {
  const id = randomUUID();
  const about = { id, tenantId, namespace: 'n', label: id, kind: 'api_key', sensitivity: 3, tags: null };
  const times = { createdAt: now(), valueAt: now(), certificateExpiresAt: null, rotationDueAt: null };
  const rest = { rotationPolicy: null, fingerprint: '', createdBy: 'admin', version: 1, newestVersion: 1 };
  await insertCredential(
    database.pool,
    { ...about, ...times, ...rest, rotation: null },
    { tenantId, credentialId: id, serviceId: `n/${id}`, type: 'api_key', version: 1 },
    envelope,
  );
  return id;
}

const json = { content: { 'application/json': { schema: { type: 'object' } } } };
const definition = {
  openapi: '3.1.0',
  servers: [{ url: 'https://bank.example' }],
  components: { securitySchemes: { ours: { type: 'http', scheme: 'bearer' } } },
  paths: { '/key': { post: { operationId: 'change', requestBody: json } } },
};

test('while a schema is waited for, to make a connector or to rotate a credential, nobody holds a connection to the database [control-plane.connector.schema-turns]', async () => {
  const { pool } = database;
  const held: number[] = [];
  const checkParams: CheckParams = async () => {
    held.push(pool.totalCount - pool.idleCount);
    return { kind: 'misfit', why: 'params: no' };
  };
  const tenantId = randomUUID();
  await addPolicy(pool, tenantId, 1, 'permit(principal, action, resource);');
  const credential_id = await newCredential(tenantId);
  const caller = { keyId: randomUUID(), tenantId, role: 'admin', name: 'admin' } as const;
  const rest = { headers: new Headers(), query: undefined, address: '', caller };
  const { enclave } = scriptedEnclave();
  const parts = { pool, enclave, allowPrivate: false, schemas: schemasHere(), now };
  const rotation = { action: 'change', param: 'key', params: {}, check_params: {}, policy_id: 'p' };
  const body = { service: 'bank', type: 'http', credential_id, safe_to_retry: false, definition, rotation };
  const make = (check: CheckParams) =>
    connectorHandlers({ ...parts, checkParams: check }).createConnector({
      ...rest,
      params: {},
      body: body as never,
    });
  expect(await make(checkParams)).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
  expect(await make(async () => null)).toMatchObject({ ok: true });
  const { startRotation } = rotationHandlers({ ...parts, checkParams } as unknown as CreateParts);
  const begun = await startRotation({ ...rest, params: { id: credential_id }, body: {} });
  expect(begun).toMatchObject({ ok: false, error: { code: 'conflict', msg: 'rotation.params: no' } });
  expect(held).toEqual([0, 0]);
});

test('what is asked for while its connector changes is looked at once more, outside a transaction, and then is a conflict [control-plane.connector.schema-turns]', async () => {
  const { pool } = database;
  // The jobs of the process have connections of the other one.
  const own = createPool(pool.options.connectionString ?? '', createLogger('control-plane', 'silent'));
  onTestFinished(() => own.end());
  const held: number[] = [];
  const replacing =
    (tenantId: string, times: number): CheckParams =>
    async () => {
      held.push(own.totalCount - own.idleCount);
      if (held.length <= times) await addHttpConnector(pool, tenantId);
      return null;
    };
  const process = await startProcess(pool, scriptedEnclave());
  onTestFinished(() => process.stop());
  const ask = (caller: Caller, checkParams: CheckParams) =>
    createExecution({ ...process.parts, pool: own, checkParams })({
      body: {
        policy_id: 'p',
        user_id: 'ann',
        service: 'bank',
        action: 'pay',
        mode: 'async',
        timeout_seconds: 5,
        params: {},
      },
      headers: new Headers({ 'idempotency-key': randomUUID() }),
      caller,
      query: undefined,
      params: {},
      address: '',
    });
  const caller = await tenantWith(pool);
  await addHttpConnector(pool, caller.tenantId);
  expect(await ask(caller, replacing(caller.tenantId, 1))).toMatchObject({ ok: true, status: 202 });
  expect(held).toEqual([0, 0]);
  held.length = 0;
  expect(await ask(caller, replacing(caller.tenantId, 9))).toMatchObject({
    ok: false,
    error: { code: 'conflict', msg: expect.stringContaining('has just changed') },
  });
  expect(held).toEqual([0, 0]);
});
