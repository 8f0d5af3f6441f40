import { randomBytes, randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import { createPool, type Pool } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { findBatch, fittingBatches, insertBatch, revokeBatch, type StoredBatch, takeOne } from './store.ts';

const log = createLogger('control-plane', 'silent');
let database: Database;
let other: Pool;
beforeAll(async () => {
  const name = `batch_${randomBytes(6).toString('hex')}`;
  const server = createPool(inject('databaseUrl'), log, 1);
  await server.query(`create database ${name}`);
  await server.end();
  const url = Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href;
  database = await openDatabase({ kind: 'given', url }, 'control-plane', log);
  other = createPool(url, log);
});
afterAll(async () => {
  await other?.end();
  await database?.close();
});

const now = new Date('2026-11-01T12:00:00Z');
const later = new Date('2026-11-01T13:00:00Z');
const sought = {
  tenantId: 'acme',
  policyId: 'payments',
  policyVersion: 2,
  service: 'bank',
  action: 'pay',
  userId: 'ann',
  keyId: randomUUID(),
  keyName: 'agent',
};

/** A batch of an approver who has a key. */
async function batch(part: Partial<StoredBatch> = {}): Promise<StoredBatch> {
  const { userId: _, keyId: __, keyName: ___, ...what } = sought;
  const key = { id: randomUUID(), name: `cfo-${randomUUID()}` };
  const made: StoredBatch = {
    ...what,
    id: randomUUID(),
    userId: null,
    condition: null,
    maxExecutions: 10,
    used: 0,
    expiresAt: later,
    revokedAt: null,
    createdBy: key.name,
    createdByKey: key.id,
    createdAt: now,
    ...part,
  };
  await database.pool.query(
    `insert into control_plane.api_key (id, tenant_id, role, name, hash, created_at)
     values ($1, 'acme', 'approver', $2, $3, $4) on conflict do nothing`,
    [made.createdByKey, made.createdBy, randomBytes(32), now],
  );
  await insertBatch(database.pool, made);
  return made;
}

const found = async (at = now) => (await fittingBatches(database.pool, sought, at)).map(({ id }) => id);

test('64 who come at once over two nodes get 10 executions of a batch of 10 [control-plane.batch.used-up]', async () => {
  const { id } = await batch({ policyId: 'raced' });
  const taken = await Promise.all(
    Array.from({ length: 64 }, (_, n) => takeOne(n % 2 === 0 ? database.pool : other, id, now)),
  );
  const used = taken.flatMap((one) => one?.used ?? []);
  expect(used.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect((await findBatch(database.pool, 'acme', id))?.used).toBe(10);
});

test('nothing is taken of a batch that ended or was revoked', async () => {
  const { id } = await batch({ policyId: 'ending' });
  expect(await takeOne(database.pool, id, later)).toBeNull();
  await revokeBatch(database.pool, { tenantId: 'acme', id }, now);
  expect(await takeOne(database.pool, id, now)).toBeNull();
});

test('a batch fits this policy version, service, action and user alone, and never whoever asks', async () => {
  const ofAnybody = await batch();
  const ofAnn = await batch({ userId: 'ann', expiresAt: new Date('2026-11-01T12:30:00Z') });
  await batch({ userId: 'bob' });
  await batch({ tenantId: 'other' });
  await batch({ policyId: 'other' });
  await batch({ policyVersion: 1 });
  await batch({ service: 'shop' });
  await batch({ action: 'refund' });
  await batch({ createdByKey: sought.keyId });
  await batch({ createdBy: 'agent' });
  const revoked = await batch();
  await database.pool.query('update control_plane.api_key set revoked_at = $2 where id = $1', [
    revoked.createdByKey,
    now,
  ]);
  expect(await found()).toEqual([ofAnn.id, ofAnybody.id]);
  expect(await found(new Date('2026-11-01T12:30:00Z'))).toEqual([ofAnybody.id]);
});
