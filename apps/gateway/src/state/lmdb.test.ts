import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { testForgetting } from '../../test/forgetting-contract.ts';
import { type Store, testState } from '../../test/state-contract.ts';
import { openLmdbState } from './lmdb.ts';

const newStore = async (): Promise<Store> => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-state-'));
  return {
    open: async (now, newId) => openLmdbState(dir, now, newId),
    remove: async () => rmSync(dir, { recursive: true }),
  };
};

describe('LMDB', () => {
  testState(newStore);
});
describe('LMDB forgets [gateway.state.forgets]', () => {
  testForgetting(newStore);
});
