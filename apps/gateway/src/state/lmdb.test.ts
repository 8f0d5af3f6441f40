import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { testState } from '../../test/state-contract.ts';
import { openLmdbState } from './lmdb.ts';

describe('LMDB', () => {
  testState(async () => {
    const dir = mkdtempSync(join(tmpdir(), 'countersign-state-'));
    return {
      open: async (now, newId) => openLmdbState(dir, now, newId),
      remove: async () => rmSync(dir, { recursive: true }),
    };
  });
});
