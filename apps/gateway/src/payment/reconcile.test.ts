import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exactProxyAddress, uptoProxyAddress } from '@countersign/protocol/gateway/permit2';
import { createLogger } from '@countersign/service/logger';
import { systemTimers } from '@countersign/service/timers';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { address, merchant, owner } from '../../test/samples.ts';
import { keepReconciling, newKept, reconcile, type Unnamed } from './reconcile.ts';
import { openEnvironment } from '../state/environment.ts';
import { openLmdbState } from '../state/lmdb.ts';
import type { GatewayState } from '../state/state.ts';

type Chain = NonNullable<Parameters<typeof reconcile>[0]['chain']>;

let state: GatewayState;
let clock: number;
let ids: number;
const patienceMs = 120_000;
const transaction = `0x${'ab'.repeat(32)}`;

const sample = {
  callKey: null,
  callHash: 'c1',
  mandateId: 'mdt_1',
  holdId: null,
  heldUntil: null,
  amount: '1',
  payload: {},
  payer: address(owner),
  asset: address(merchant),
  ifSettled: { serviceName: 'shop', serviceResult: 'pass', chain: 'base' },
  validBefore: 1_000_000_060,
} as const;

beforeEach(async () => {
  clock = 1_000_000_000_000;
  isElsewhere = false;
  ids = 0;
  told = [];
  const dir = mkdtempSync(join(tmpdir(), 'countersign-reconcile-'));
  const environment = openEnvironment(dir);
  state = openLmdbState(
    environment,
    'wallet',
    () => clock,
    () => `id ${(ids += 1)}`,
  );
  onTestFinished(async () => {
    await state.close();
    await environment.close();
    rmSync(dir, { recursive: true });
  });
  const opened = await state.openPayment(
    { ...sample, nonce: 'n1', validBefore: clock / 1000 + 60, openedAt: clock },
    null,
    null,
  );
  expect(opened.kind).toBe('opened');
});

/** A chain with this payment in it, in the eyes of a node that may lag behind. */
const chain = (
  found: Awaited<ReturnType<Chain['searchSettlement']>>,
  { lagging = false, spentOtherwise = false, taken = false } = {},
): Chain => ({
  searchSettlement: () => Promise.resolve(found),
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
const look = (at: Chain | null, kept = newKept()) =>
  reconcile({ state, unnamed, chain: at, now: () => clock, patienceMs, kept });
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

/** Instead of the payment of all tests, one by Permit2; `upto` where less than all may be taken. */
async function openPermitted(nonce: string, upto = false): Promise<void> {
  const first = (await state.unresolved()).find((entry) => entry.nonce === 'n1');
  if (first !== undefined) await state.resolveUnused(first);
  const spender = upto ? uptoProxyAddress : exactProxyAddress;
  const opened = {
    ...sample,
    nonce,
    payload: { payload: { permit2Authorization: { spender } } },
    validBefore: clock / 1000 + 60,
    openedAt: clock,
    ...(upto && { decimals: 6 }),
  };
  await state.openPayment(opened, null, null);
}

test('a report of a payment by Permit2 names its method and nonce, whatever was journaled [gateway.permit2.hidden]', async () => {
  await openPermitted('n2', true);
  await openPermitted('n3');
  clock += 60_000;
  await look(chain({ transaction }));
  const said = (await state.pending(8)).map(({ report: { metadata } }) =>
    JSON.stringify([metadata?.['method'], metadata?.['nonce']]),
  );
  expect(new Set(said)).toEqual(new Set(['["permit2","n3"]', '["upto","n2"]']));
});

test('one answer that a node did not give makes no small upto the whole, until its hold would end [gateway.permit2.hidden]', async () => {
  await openPermitted('n2', true);
  clock += 60_000 + 30_000;
  await look(chain('unknown', { taken: true }));
  expect([await unresolved(), await reported()]).toEqual([1, []]);
  clock += 15_000;
  await look(chain('unknown', { taken: true }));
  expect(await unresolved()).toBe(0);
  // With an answer for all that there is, no other look is needed.
  await openPermitted('n3', true);
  clock += 60_000 + 30_000;
  await look(chain('none', { taken: true }));
  expect(await unresolved()).toBe(0);
  // After a long outage the hold is gone: then two looks in a row decide.
  await openPermitted('n4', true);
  clock += 3_600_000;
  const kept = newKept();
  await look(chain('unknown', { taken: true }), kept);
  expect(await unresolved()).toBe(1);
  await look(chain('unknown', { taken: true }), kept);
  expect(await unresolved()).toBe(0);
});

test('payments by Permit2 that take long to look for hold up no others, and not each other [gateway.permit2.hidden]', async () => {
  await openPermitted('n2');
  await openPermitted('n3');
  await state.openPayment({ ...sample, nonce: 'n4', openedAt: clock }, null, null);
  clock += 60_000;
  const kept = newKept();
  const slow = until();
  const found: Chain = {
    ...chain({ transaction }),
    searchSettlement: async ({ nonce }) => {
      if (nonce === 'n2') await slow.isOver;
      return { transaction };
    },
  };
  const first = look(found, kept);
  await expect.poll(unresolved).toBe(1);
  await state.openPayment({ ...sample, nonce: 'n5', openedAt: clock - 60_000 }, null, null);
  await look(found, kept);
  expect((await state.unresolved()).map(({ nonce }) => nonce)).toEqual(['n2']);
  slow.end();
  await first;
  expect(await unresolved()).toBe(0);
});

test('two looks at once at one payment report it once, and neither gives back what the other has reported [gateway.state.freed-once]', async () => {
  clock += 3_600_000;
  const slow = until();
  const late: Chain = {
    ...chain('unused'),
    searchSettlement: async () => {
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
    searchSettlement: async () => {
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
