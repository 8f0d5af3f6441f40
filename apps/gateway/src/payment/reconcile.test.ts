import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@countersign/service/logger';
import { systemTimers } from '@countersign/service/timers';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { address, merchant, owner } from '../../test/samples.ts';
import { keepReconciling, reconcile, type Unnamed } from './reconcile.ts';
import { openEnvironment } from '../state/environment.ts';
import { openLmdbState } from '../state/lmdb.ts';
import type { GatewayState } from '../state/state.ts';

type Chain = NonNullable<Parameters<typeof reconcile>[0]['chain']>;

let state: GatewayState;
let clock: number;
const patienceMs = 120_000;
const transaction = `0x${'ab'.repeat(32)}`;

beforeEach(async () => {
  clock = 1_000_000_000_000;
  isElsewhere = false;
  told = [];
  const dir = mkdtempSync(join(tmpdir(), 'countersign-reconcile-'));
  const environment = openEnvironment(dir);
  state = openLmdbState(
    environment,
    'wallet',
    () => clock,
    () => 'id',
  );
  onTestFinished(async () => {
    await state.close();
    await environment.close();
    rmSync(dir, { recursive: true });
  });
  const opened = await state.openPayment(
    {
      nonce: 'n1',
      callKey: null,
      callHash: 'c1',
      mandateId: 'mdt_1',
      holdId: null,
      heldUntil: null,
      amount: '1',
      validBefore: clock / 1000 + 60,
      payload: {},
      payer: address(owner),
      asset: address(merchant),
      openedAt: clock,
      ifSettled: { serviceName: 'shop', serviceResult: 'pass', chain: 'base' },
    },
    null,
    null,
  );
  expect(opened.kind).toBe('opened');
});

/** A chain with this payment in it, in the eyes of a node that may lag behind. */
const chain = (
  found: Awaited<ReturnType<Chain['findSettlement']>>,
  { lagging = false, spentOtherwise = false, taken = false } = {},
): Chain => ({
  findSettlement: () => Promise.resolve(found),
  wasTaken: () => Promise.resolve(taken),
  staysUnused: () => Promise.resolve(found === 'unused' && !lagging),
  wasSpentOtherwise: () => Promise.resolve(spentOtherwise),
});

let isElsewhere: boolean;
let told: unknown[];
const unnamed = {
  isElsewhere: () => Promise.resolve(isElsewhere),
  settle: async (...[entry, settledIn, report]: Parameters<Unnamed['settle']>) => {
    told.push([entry, settledIn]);
    await report();
  },
};
const look = (at: Chain | null) => reconcile({ state, unnamed, chain: at, now: () => clock, patienceMs });
const unresolved = async () => (await state.unresolved()).length;
const reported = async () => (await state.pending(8)).map(({ report }) => report.txHash);

function until(): { readonly isOver: Promise<void>; readonly end: () => void } {
  let end = (): void => {};
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { isOver, end: () => end() };
}

test('a payment that is still being waited for is left alone', async () => {
  clock += 59_999;
  await look(chain({ transaction }));
  expect([await unresolved(), await reported()]).toEqual([1, []]);
});

test('what settled is reported as soon as it is no longer valid, before its hold ends, and only once', async () => {
  clock += 60_000;
  await look(chain({ transaction }));
  await look(chain({ transaction }));
  expect([await unresolved(), await reported()]).toEqual([0, [transaction]]);
});

test('what a living process waits for is left to it; what settled is told to the next caller before it counts as known', async () => {
  clock += 60_000;
  isElsewhere = true;
  await look(chain({ transaction }));
  expect([await unresolved(), told]).toEqual([1, []]);
  isElsewhere = false;
  await look(chain({ transaction }));
  expect([await unresolved(), told]).toMatchObject([0, [[{ nonce: 'n1' }, { transaction }]]]);
});

test('of a maximum is reported what the chain says was taken [gateway.upto.taken]', async () => {
  const [entry] = await state.unresolved();
  if (entry === undefined) throw new Error('there is no payment');
  await state.resolveUnused(entry);
  await state.openPayment({ ...entry, nonce: 'n2', decimals: 6 }, null, null);
  clock += 60_000;
  await look(chain({ transaction, moved: '250000' }));
  expect((await state.pending(8)).map(({ report }) => [report.txHash, report.amount])).toEqual([
    [transaction, '0.25'],
  ]);
});

test('a payment is forgotten once a block after its validity shows it unused, and not by the clock alone', async () => {
  clock += 3_600_000;
  await look(chain('unknown'));
  await look(chain('unused', { lagging: true }));
  expect(await unresolved()).toBe(1);
  await look(chain('unused'));
  expect([await unresolved(), await reported()]).toEqual([0, []]);
});

test('a payment whose nonce another payment used up gives its budget back once it has run out [gateway.mpp.judged]', async () => {
  await look(chain('unknown', { spentOtherwise: true }));
  expect(await unresolved()).toBe(1);
  clock += 3_600_000;
  await look(chain('unknown', { spentOtherwise: true }));
  expect([await unresolved(), await reported()]).toEqual([0, []]);
});

test('what was taken counts as the whole once no transaction can show how much, before its hold ends [gateway.permit2.hidden]', async () => {
  clock += 60_000;
  await look(chain('unknown', { taken: true }));
  // A node that has the nonce already may have the transfer a moment later.
  expect([await unresolved(), await reported()]).toEqual([1, []]);
  clock += 30_000;
  await look(chain('unknown', { taken: false }));
  expect([await unresolved(), await reported()]).toEqual([1, []]);
  await look(chain('unknown', { taken: true }));
  const [{ report } = {}] = await state.pending(8);
  expect(report).toMatchObject({ serviceResult: 'pass', metadata: { why: expect.any(String) } });
  expect(report).not.toHaveProperty('txHash');
  expect(report).not.toHaveProperty('amount');
  expect([await unresolved(), told]).toMatchObject([0, [[{ nonce: 'n1' }, { transaction: null }]]]);
  clock += 3_600_000;
  await look(chain('unused'));
  expect((await state.paymentBy('n1'))?.nonce).toBe('n1');
});

test('two looks at once at one payment report it once, and neither gives back what the other has reported [gateway.state.freed-once]', async () => {
  clock += 3_600_000;
  const slow = until();
  const late: Chain = {
    ...chain('unused'),
    findSettlement: async () => {
      await slow.isOver;
      return 'unused';
    },
  };
  const first = look(late);
  await Promise.all([look(chain({ transaction })), look(chain({ transaction }))]);
  slow.end();
  await first;
  expect([await reported(), (await state.paymentBy('n1'))?.nonce]).toEqual([[transaction], 'n1']);
});

test('a look that takes long is not begun once more beside itself, and its end is waited for [gateway.state.freed-once]', async () => {
  clock += 60_000;
  let looks = 0;
  const slow = until();
  const found: Chain = {
    ...chain({ transaction }),
    findSettlement: async () => {
      looks += 1;
      await slow.isOver;
      return { transaction };
    },
  };
  let tick = (): void => {};
  const timers = {
    ...systemTimers,
    every: (_: number, run: () => void) => {
      tick = run;
      return () => {};
    },
  };
  const parts = { state, unnamed, chain: found, now: () => clock, patienceMs, timers };
  const stop = keepReconciling(parts, 15_000, createLogger('test', 'silent'));
  tick();
  tick();
  await expect.poll(() => looks).toBe(1);
  const stopped = stop();
  slow.end();
  await stopped;
  expect([looks, await reported()]).toEqual([1, [transaction]]);
});

test('without a chain to ask, an unreported payment is kept: a service that settles in silence gets no budget back [gateway.attack.doubt-without-chain]', async () => {
  clock += 365 * 24 * 3_600_000;
  await look(null);
  expect(await unresolved()).toBe(1);
  await look(chain('unused'));
  expect(await unresolved()).toBe(0);
});
