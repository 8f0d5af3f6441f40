import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testForgetting } from '../../test/forgetting-contract.ts';
import { testFreed } from '../../test/freed-contract.ts';
import { entryAt, type Store, testState } from '../../test/state-contract.ts';
import { testTaken } from '../../test/taken-contract.ts';
import { testUnnamed } from '../../test/unnamed-contract.ts';
import { openEnvironment } from './environment.ts';
import { openLmdbState } from './lmdb.ts';

const newStore = async (): Promise<Store> => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-state-'));
  return {
    async open(now, newId) {
      const environment = openEnvironment(dir);
      const state = openLmdbState(environment, 'wallet', now, newId);
      return { ...state, close: () => state.close().then(environment.close) };
    },
    remove: async () => rmSync(dir, { recursive: true }),
  };
};

/** A state and its environment, in which an older process may write and read as well. */
function besideOlder() {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-older-'));
  const environment = openEnvironment(dir);
  onTestFinished(async () => {
    await environment.close();
    rmSync(dir, { recursive: true });
  });
  const openedAt = 1_000_000_000_000;
  const state = openLmdbState(
    environment,
    'wallet',
    () => openedAt,
    () => 'id',
  );
  return { openedAt, environment, state };
}

describe('LMDB', () => {
  testState(newStore);
  testTaken(newStore);

  test('what an older process on the directory resolved is passed over, though it knew nothing of who had asked', async () => {
    const { openedAt, environment, state } = besideOlder();
    const asker = { identity: 'a', process: 'dead', traceId: 't' };
    for (const nonce of ['forgotten', 'reported', 'left'])
      await state.openPayment(entryAt(openedAt, nonce, { asker }), null, null);
    const db = environment.database('wallet');
    await db.remove(['unresolved', 'forgotten']);
    await db.remove(['payment', 'forgotten']);
    await db.remove(['unresolved', 'reported']);
    const left = await state.unresolvedOf('a', 0);
    expect(left.map(({ nonce }) => nonce)).toEqual(['left']);
    expect(await state.passOn(entryAt(openedAt, 'reported', { asker }), null)).toBeNull();
  });
});
test('an older process on the directory sees no payment by Permit2 among those in doubt, so it gives none back [gateway.permit2.older]', async () => {
  const { openedAt, environment, state } = besideOlder();
  const permitted = entryAt(openedAt, 'by permit2', { payload: { payload: { permit2Authorization: {} } } });
  await state.openPayment(entryAt(openedAt, 'by the token'), null, null);
  await state.openPayment(permitted, null, null);
  // As gateways of before list them.
  const older = environment
    .database('wallet')
    .getRange({ start: ['unresolved', ''], end: ['unresolved', '\uffff'] });
  expect(Array.from(older).map(({ value }) => value)).toEqual(['by the token']);
  expect((await state.unresolved()).map(({ nonce }) => nonce).toSorted()).toEqual([
    'by permit2',
    'by the token',
  ]);
  await state.resolveUnused(permitted);
  expect((await state.unresolved()).map(({ nonce }) => nonce)).toEqual(['by the token']);
});
describe('LMDB, of payments without a key', () => {
  testUnnamed(newStore);
});
describe('LMDB frees a payment once', () => {
  testFreed(newStore);
});
describe('LMDB forgets [gateway.state.forgets]', () => {
  testForgetting(newStore);
});
