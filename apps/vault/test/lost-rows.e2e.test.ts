import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrationsOf } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import { managedPostgres } from '@countersign/service/managed-postgres';
import { createPool, migrate, type Pool } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  findOperation,
  insertOperation,
  listOperations,
  type NewOperation,
  settleOperation,
} from '../src/sandbox/operation-store.ts';
import { insertSession, updateSession } from '../src/sandbox/session-store.ts';
import { done, state } from './browser-sessions.ts';

const log = createLogger('vault', 'silent');
const dir = mkdtempSync(join(tmpdir(), 'lost-rows-'));
let server: Awaited<ReturnType<typeof managedPostgres>>;
let pool: Pool;
const open = async () => {
  server = await managedPostgres({ dir });
  pool = createPool(server.url, log, 2);
};
beforeAll(open, 120_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const at = new Date('2026-11-25T12:00:00.000Z');
const sessionId = randomUUID();
const newOperation = (): NewOperation => ({
  id: randomUUID(),
  sessionId,
  tokenId: randomUUID(),
  actor: 'user:alice',
  agentDid: null,
  operation: { operation_type: 'click', selector: '#buy' },
  credentialId: null,
  at,
});

/** As the machine does when it dies: the server has no time to write anything. */
async function killServer(): Promise<void> {
  const [pid] = readFileSync(join(dir, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await pool.end();
  await server.stop();
}

test('after the database was killed a session’s log has what was answered, and gets the operation under way [vault.sandbox.operations.database-killed]', async () => {
  await migrate(pool, migrationsOf('vault'));
  // By chance it would be written a moment later.
  await pool.query(`alter system set wal_writer_delay = '10s'`);
  await pool.query('select pg_reload_conf()');
  await pool.query(
    `insert into vault.account (name, tenant_id, password_hash, scopes, created_at) values ('alice', 'acme', 'x', '{admin}', $1)`,
    [at],
  );
  await insertSession(pool, {
    id: sessionId,
    tenantId: 'acme',
    account: 'alice',
    tokenId: randomUUID(),
    task: 'Buy nothing',
    allowedUrls: ['https://shop.example'],
    credentialIds: [],
    approval: 'auto',
    agentDid: null,
    openedBy: 'user:alice',
    createdAt: at,
    expiresAt: at,
  });
  await updateSession(pool, sessionId, { ...state(), isolation: { level: 'full' } as never }, at);

  const [answered, underWay] = [newOperation(), newOperation()];
  await insertOperation(pool, answered);
  await settleOperation(pool, answered, done(answered.id).operation);
  await insertOperation(pool, underWay);
  expect(await findOperation(pool, underWay.id, sessionId)).toMatchObject({ status: null });
  await killServer();
  await open();

  expect(await findOperation(pool, answered.id, sessionId)).toMatchObject({ status: 'executed' });
  // Whatever became of its row, the answer tells all of it.
  for (let told = 0; told < 2; told += 1) {
    await settleOperation(pool, underWay, done(underWay.id).operation);
    const { items } = await listOperations(
      pool,
      { sessionId, agentDid: null, actor: null },
      { limit: 10, offset: 0 },
    );
    expect(items.map(({ id }) => id)).toEqual([underWay.id, answered.id]);
    expect(items[0]).toMatchObject({ ...underWay, status: 'executed', durationMs: 12.5 });
    await pool.query(
      'delete from vault.operation where id = $1',
      told === 0 ? [underWay.id] : [randomUUID()],
    );
  }
});
