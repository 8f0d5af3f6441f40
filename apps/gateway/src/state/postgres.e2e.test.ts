import { randomBytes } from 'node:crypto';
import { createPool } from '@countersign/service/sql';
import { createLogger } from '@countersign/service/logger';
import { describe, expect, inject, test } from 'vitest';
import { testForgetting } from '../../test/forgetting-contract.ts';
import { address, owner, stranger } from '../../test/samples.ts';
import { type Store, testState } from '../../test/state-contract.ts';
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
});
