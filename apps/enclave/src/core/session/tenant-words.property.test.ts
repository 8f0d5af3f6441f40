import { expect, test } from 'vitest';
import { TenantWords } from './tenant-words.ts';
import { workHere } from './worker/here.ts';
import { SessionWorker } from './worker/session-worker.ts';

const words = (count: number, name: string): string =>
  Array.from({ length: count }, (_, i) => `${name}${((i + 1) * 7919).toString(36)}`).join(', ');

test('in an hour all sessions of a tenant have 1,024 guesses, and 1,024 words that are masked', async () => {
  let now = 0;
  const tenants = new TenantWords(() => now);
  const open = () => {
    const worker = new SessionWorker(workHere, (hear) => tenants.join('acme', hear));
    worker.add(Buffer.from('swordfish'), 'secret');
    return worker;
  };
  const guess = async (worker: SessionWorker, name: string) => {
    await worker.write({ texts: [name] });
    return worker.mask(`${name}.`);
  };
  for (let i = 0; i < 16; i++) {
    const worker = open();
    for (let k = 0; k < 64; k++) await worker.write({ texts: [`g${i}-${k}-x`] });
    worker.close();
  }
  expect(await guess(open(), 'mistletoe')).toBe('███.');
  const full = [];
  for (let i = 0; i < 6; i++) {
    const worker = open();
    full.push((await worker.write({ texts: [words(120, `list${i}`)] })).isFull);
    worker.close();
  }
  expect(full).toEqual([false, false, false, false, true, true]);
  now += 3_600_000;
  expect(await guess(open(), 'fern-leaf')).toBe('fern-leaf.');
});
