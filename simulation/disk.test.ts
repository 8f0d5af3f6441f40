import { openLmdbState } from '@countersign/gateway/state/lmdb';
import { describe, expect, test } from 'vitest';
import { testForgetting } from '../apps/gateway/test/forgetting-contract.ts';
import { type Store, testState } from '../apps/gateway/test/state-contract.ts';
import { testUnnamed } from '../apps/gateway/test/unnamed-contract.ts';
import { Disk } from './src/disk.ts';
import { Schedule } from './src/schedule.ts';

const life = { name: 'process', isAlive: true };

/** A disk whose time passes by itself. */
const newStore = async (): Promise<Store> => {
  const schedule = new Schedule(0);
  const disk = new Disk(schedule, () => 0);
  const ticking = setInterval(() => {
    while (schedule.step() !== null);
  }, 0);
  return {
    open: async (now, newId) => openLmdbState(disk.openAs(life), 'wallet', now, newId),
    remove: async () => clearInterval(ticking),
  };
};

describe('the gateway’s state on a simulated disk', () => {
  testState(newStore);
});
describe('the gateway’s state on a simulated disk, of payments without a key', () => {
  testUnnamed(newStore);
});
describe('the gateway’s state on a simulated disk forgets', () => {
  testForgetting(newStore);
});

function emptyDisk() {
  const schedule = new Schedule(0);
  const disk = new Disk(schedule, () => 1);
  const environment = disk.openAs(life);
  const db = environment.database('db');
  return { schedule, disk, environment, db };
}

test('keys are in the order of LMDB: numbers by their value, before texts, part by part', () => {
  const { db, disk } = emptyDisk();
  for (const key of [
    ['a', 10],
    ['a', 'x'],
    ['a', 9, 'z'],
    ['a', 9],
    ['aa', 1],
    ['b', 0],
  ])
    void db.put(key, key);
  expect(disk.list('db', { start: ['a', 0], end: ['b', 0] })).toEqual([
    ['a', 9],
    ['a', 9, 'z'],
    ['a', 10],
    ['a', 'x'],
    ['aa', 1],
  ]);
});

test('power takes what was committed and not flushed, a flush saves all before it, and a write that throws leaves nothing', async () => {
  const { schedule, disk, environment, db } = emptyDisk();
  const written = environment.durably(() => void db.put('kept', 1));
  schedule.step();
  schedule.step();
  await written;
  const committed = environment.commit(() => {
    void db.put('kept', 2);
    void db.put('new', 2);
  });
  schedule.step();
  await committed;
  expect([disk.read('db', 'kept'), disk.readFlushed('db', 'kept')]).toEqual([2, 1]);
  disk.losePower();
  expect([disk.read('db', 'kept'), disk.read('db', 'new')]).toEqual([1, undefined]);
  const failed = environment.commit(() => {
    void db.remove('kept');
    throw new Error('no');
  });
  schedule.step();
  await expect(failed).rejects.toThrow('no');
  expect(disk.read('db', 'kept')).toBe(1);
});
