import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Database } from '@countersign/service/database';
import { addPolicy, startDatabase } from '../../test/scripted-enclave.ts';
import { findDeciding } from './store.ts';

let database: Database;
beforeAll(async () => {
  database = await startDatabase(inject('databaseUrl'));
});
afterAll(() => database?.close());

test('the newest active version decides; beside it stand the newest 16 that are log_only, however many there are [control-plane.policy.log-only]', async () => {
  const tenantId = randomUUID();
  const add = (version: number, mode: 'active' | 'log_only') =>
    addPolicy(database.pool, tenantId, version, 'permit(principal, action, resource);', mode);
  const found = async () => {
    const deciding = await findDeciding(database.pool, tenantId, 'p');
    return [deciding?.active?.version, deciding?.beside.map(({ version }) => version)];
  };
  expect(await findDeciding(database.pool, tenantId, 'p')).toBe(null);
  for (let version = 1; version <= 20; version++) await add(version, 'log_only');
  const newest16 = (from: number) => Array.from({ length: 16 }, (_, at) => from + at);
  expect(await found()).toEqual([undefined, newest16(5)]);
  await add(21, 'active');
  expect(await found()).toEqual([21, []]);
  for (let version = 22; version <= 40; version++) await add(version, 'log_only');
  expect(await found()).toEqual([21, newest16(25)]);
});
