import { randomBytes } from 'node:crypto';
import { createPool } from '@countersign/service/sql';
import { createLogger } from '@countersign/service/logger';
import { describe, expect, inject, test } from 'vitest';
import { testForgetting } from '../../test/forgetting-contract.ts';
import { testFreed } from '../../test/freed-contract.ts';
import { address, owner, stranger } from '../../test/samples.ts';
import { entryAt, type Store, testState } from '../../test/state-contract.ts';
import { testTaken } from '../../test/taken-contract.ts';
import { testUnnamed } from '../../test/unnamed-contract.ts';
import { openPostgresState } from './postgres.ts';

const log = createLogger('test', 'silent');

async function newDatabase(): Promise<{ readonly url: string; readonly remove: () => Promise<void> }> {
  const server = createPool(inject('databaseUrl'), log, 1);
  const name = `gateway_${randomBytes(6).toString('hex')}`;
  await server.query(`create database ${name}`);
  return {
    url: Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href,
    async remove() {
      await server.query(`drop database ${name} with (force)`);
      await server.end();
    },
  };
}

const openAs = (wallet: { address: string }, url: string): Store['open'] => {
  return (now, newId) => openPostgresState({ url, wallet: address(wallet), now, newId, log });
};

const newStore = async (): Promise<Store> => {
  const { url, remove } = await newDatabase();
  return { open: openAs(owner, url), remove };
};

describe('PostgreSQL, of payments without a key', () => {
  testUnnamed(newStore);
});
describe('PostgreSQL frees a payment once', () => {
  testFreed(newStore);
});
describe('PostgreSQL forgets [gateway.state.forgets]', () => {
  testForgetting(newStore);
});

describe('PostgreSQL [gateway.config.gateway-database-url]', () => {
  testState(newStore);
  testTaken(newStore);

  test('wallets that share a database know nothing of each other [system.storage.gateway-postgresql]', async () => {
    const { url, remove } = await newDatabase();
    const ids = ['a', 'b'].values();
    const newId = (): string => ids.next().value ?? '';
    const now = (): number => 1_000_000_000_000;
    // At once: the first of them migrates.
    const [ours, theirs] = await Promise.all([
      openAs(owner, url)(now, newId),
      openAs(stranger, url)(now, newId),
    ]);
    await ours.report({ serviceName: 'shop', serviceResult: 'pass', chain: 'base' }, null);
    await ours.remember('the same key', 'hash', {} as never, 1000);
    expect(await theirs.pending(8)).toEqual([]);
    expect(await theirs.recall('the same key', 'hash')).toBe('new');
    expect(await ours.pending(8)).toHaveLength(1);
    await Promise.all([ours.close(), theirs.close()]);
    await remove();
  });

  test('a gateway of before that runs on frees no payment by Permit2 [gateway.permit2.older]', async () => {
    const { url, remove } = await newDatabase();
    const now = 1_000_000_000_000;
    const state = await openAs(owner, url)(
      () => now,
      () => 'id',
    );
    const pool = createPool(url, log, 1);
    const permitted = entryAt(now, 'by permit2', { payload: { payload: { permit2Authorization: {} } } });
    await state.openPayment(entryAt(now, 'by the token'), null, null);
    await state.openPayment(permitted, null, null);
    // Its own statement.
    const forget = `with gone as (
        delete from gateway.payment where wallet = $1 and nonce = $2 returning mandate_id, amount
      )
      update gateway.spent s set amount = s.amount - gone.amount
        from gone where s.wallet = $1 and s.mandate_id = gone.mandate_id`;
    for (const nonce of ['by the token', 'by permit2']) await pool.query(forget, [address(owner), nonce]);
    expect((await state.unresolved()).map(({ nonce }) => nonce)).toEqual(['by permit2']);
    expect((await pool.query('select amount::int from gateway.spent')).rows).toEqual([{ amount: 1 }]);
    await state.resolveUnused(permitted);
    expect(await state.unresolved()).toEqual([]);
    expect((await pool.query('select amount::int from gateway.spent')).rows).toEqual([{ amount: 0 }]);
    await Promise.all([state.close(), pool.end()]);
    await remove();
  });

  test.each(['mdt_1', null])(
    'of calls with different keys that show one challenge at the same moment, one pays and the other knows it (mandate %s) [gateway.mpp.judged]',
    async (mandateId) => {
      const { url, remove } = await newDatabase();
      const now = 1_000_000_000_000;
      const state = await openAs(owner, url)(
        () => now,
        () => 'id',
      );
      const pool = createPool(url, log, 2);
      const entry = (callKey: string) => ({ ...entryAt(now, 'n1'), callKey, mandateId });
      // Another gateway of the wallet has written its payment, and not committed it yet.
      const other = await pool.connect();
      await other.query('begin');
      await other.query(
        'select gateway.open_payment($1, $2, $3, $4, 1, 0, $5, $6, null, null, null, $5, null)',
        [address(owner), 'n1', 'one', mandateId, now, JSON.stringify(entry('one'))],
      );
      const opening = state.openPayment(entry('another'), null, null);
      const settled = opening.then(
        (opened) => opened,
        (error: unknown) => error,
      );
      const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await pool.query(waits)).rowCount).toBe(1);
      await other.query('commit');
      other.release();
      expect(await settled).toMatchObject({ kind: 'known', entry: { callKey: 'one' } });
      await Promise.all([state.close(), pool.end()]);
      await remove();
    },
  );
});
