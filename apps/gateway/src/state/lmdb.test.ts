import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { testForgetting } from '../../test/forgetting-contract.ts';
import { type Store, testState } from '../../test/state-contract.ts';
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

describe('LMDB', () => {
  testState(newStore);
});
describe('LMDB forgets [gateway.state.forgets]', () => {
  testForgetting(newStore);
});
