import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemTimers } from '@countersign/service/timers';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { entryAt } from '../../test/state-contract.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import { claimMs } from '../state/forget.ts';
import { openEnvironment } from '../state/environment.ts';
import { openLmdbState } from '../state/lmdb.ts';
import type { GatewayState } from '../state/state.ts';
import { offeredForMs } from './kept.ts';
import { Orphans } from './orphans.ts';

let ids = 0;
/** Each look at the clock takes a while, so that patience ends soon. */
let clock: number;
let open: () => GatewayState;
const tickMs = 250;
const now = () => (clock += tickMs);

beforeEach(() => {
  clock = 1_000_000_000_000;
  const dir = mkdtempSync(join(tmpdir(), 'countersign-orphans-'));
  const environment = openEnvironment(dir);
  open = () => openLmdbState(environment, 'wallet', now, () => `id${++ids}`);
  onTestFinished(async () => {
    await environment.close();
    rmSync(dir, { recursive: true });
  });
});

const identity = 'a'.repeat(64);
const call = { traceId: 'next', signal: { aborted: false } } as ToolCall;
const process = (name: string, state = open(), warn: (error: unknown) => void = () => {}) => ({
  state,
  orphans: new Orphans({ state, now, timers: systemTimers, process: name, warn }),
});
const adopt = async (orphans: Orphans) => {
  const found = await orphans.adopt(call, identity);
  return found === 'gone' ? null : found;
};
const leave = (nonce: string, by: string, openedAt = clock) =>
  open().openPayment(
    entryAt(openedAt, nonce, { asker: { identity, process: by, traceId: `trace ${nonce}` } }),
    null,
    null,
  );

test('of two orphans two who look at once get one each', async () => {
  await leave('n1', 'dead', clock - 1);
  await leave('n2', 'dead');
  const both = [process('one'), process('two')];
  for (const { orphans } of both) await orphans.begin(call);
  const found = await Promise.all(both.map(({ orphans }) => adopt(orphans)));
  expect(new Set(found.map((entry) => entry?.nonce))).toEqual(new Set(['n1', 'n2']));
});

test('whoever took an orphan over and died leaves an orphan: who looks meanwhile waits until that is sure', async () => {
  await leave('n1', 'dead');
  const adopter = process('adopter');
  await adopter.orphans.begin({ traceId: 'adopting' });
  expect(await adopt(adopter.orphans)).toMatchObject({ nonce: 'n1' });
  // It is killed here.
  expect(await adopt(process('next').orphans)).toMatchObject({
    nonce: 'n1',
    asker: { process: 'next', traceId: 'trace n1' },
  });
});

test('what a living process waits for is left to it, after some patience, also when it renews late', async () => {
  const living = process('living');
  await living.orphans.begin({ traceId: 'trace n1' });
  await leave('n1', 'living');
  clock += 2 * claimMs;
  await living.orphans.renew();
  const isClaimed = async (key: string): Promise<boolean> => {
    await living.orphans.renew();
    return living.state.isClaimed(key);
  };
  const next = process('next', { ...open(), isClaimed });
  expect(await adopt(next.orphans)).toBeNull();
});

test('what a call let go untold is there for the next one; what was told is not; neither is what is old', async () => {
  await leave('n1', 'dead');
  const { state, orphans } = process('one');
  const first = await adopt(orphans);
  if (first === null) throw new Error('no orphan');
  expect(await adopt(orphans)).toBeNull();
  await orphans.letGo(first, false);
  orphans.end(call, first);
  const second = await adopt(orphans);
  if (second === null) throw new Error('no orphan');
  await orphans.letGo(second, true);
  orphans.end(call, second);
  expect(await adopt(orphans)).toBeNull();
  await leave('old', 'dead', clock - offeredForMs);
  expect(await adopt(process('two').orphans)).toBeNull();
  expect((await state.unresolved()).length).toBe(2);
});

test('an orphan that cannot be taken over stays one', async () => {
  await leave('n1', 'dead');
  const state = open();
  let isBroken = true;
  const passOn: GatewayState['passOn'] = (...asked) =>
    isBroken ? Promise.reject(new Error('no state')) : state.passOn(...asked);
  const { orphans } = process('one', { ...state, passOn });
  await expect(adopt(orphans)).rejects.toThrow('no state');
  isBroken = false;
  expect(await adopt(orphans)).toMatchObject({ nonce: 'n1' });
});

test('of two that find an orphan settled one tells the next call, and once; nobody tells of one that is old', async () => {
  await leave('n1', 'dead');
  await leave('old', 'dead', clock - offeredForMs);
  const reported: string[] = [];
  for (const entry of await open().unresolved()) {
    const report = async (by: GatewayState) => {
      reported.push(entry.nonce);
      await by.report(entry.ifSettled, entry.nonce);
    };
    const both = [process('one'), process('two')];
    await Promise.all(
      both.map(({ state, orphans }) => orphans.settle(entry, { transaction: '0x1' }, () => report(state))),
    );
  }
  expect(reported).toEqual(['old', 'n1']);
  const state = open();
  expect([await state.adopt(identity), await state.adopt(identity)]).toEqual([`${identity} trace n1`, null]);
});

test('what was told already, or is taken over just now, is not told again', async () => {
  await leave('n1', 'dead');
  const [seen] = await open().unresolved();
  if (seen === undefined) throw new Error('no entry');
  const { state, orphans } = process('one');
  const taken = await adopt(orphans);
  if (taken === null) throw new Error('no orphan');
  let reports = 0;
  const report = async () => void (reports += 1);
  await process('two').orphans.settle(seen, { transaction: '0x1' }, report);
  expect(reports).toBe(0);
  await orphans.letGo(taken, true);
  orphans.end(call, taken);
  const [told] = await state.unresolved();
  if (told === undefined) throw new Error('no entry');
  await process('two').orphans.settle(told, { transaction: '0x1' }, report);
  expect([reports, await state.adopt(identity)]).toEqual([1, null]);
});

test('what a call takes over just now is that call’s, although it is found settled: it is not counted as told [gateway.paying.adopted-while-settled]', async () => {
  await leave('n1', 'dead');
  const [seen] = await open().unresolved();
  if (seen === undefined) throw new Error('no entry');
  const state = open();
  const passOn: GatewayState['passOn'] = async (...asked) => {
    await orphans.settle(seen, { transaction: '0x1' }, () => state.report(seen.ifSettled, 'n1'));
    return state.passOn(...asked);
  };
  const { orphans } = process('one', { ...state, passOn });
  expect(await adopt(orphans)).toMatchObject({ nonce: 'n1' });
});

test('a call that comes while its payment is being settled is told to ask for the answer [gateway.paying.adopted-while-settled]', async () => {
  await leave('n1', 'dead');
  const [seen] = await open().unresolved();
  if (seen === undefined) throw new Error('no entry');
  const { state, orphans } = process('one');
  let found: unknown;
  await orphans.settle(seen, { transaction: '0x1' }, async () => {
    found = orphans.adopt(call, identity);
    await state.report(seen.ifSettled, 'n1');
  });
  expect(await found).toBe('gone');
  expect(await state.adopt(identity)).toBe(`${identity} trace n1`);
});

test('what settles while a call has taken it over is told to the next, if that call ends otherwise [gateway.paying.adopted-while-settled]', async () => {
  await leave('n1', 'dead');
  const { state, orphans } = process('one');
  const taken = await adopt(orphans);
  if (taken === null) throw new Error('no orphan');
  await orphans.settle(taken, { transaction: '0x1' }, () => state.report(taken.ifSettled, 'n1'));
  await orphans.letGo(taken, false);
  orphans.end(call, taken);
  expect([await state.adopt(identity), await state.adopt(identity)]).toEqual([`${identity} trace n1`, null]);
});

test('an answer that could not be recorded is offered once, whoever records it later [gateway.paying.adopted-while-settled]', async () => {
  await leave('n1', 'dead');
  const broken = (): Promise<void> => Promise.reject(new Error('no state'));
  const settle = async (by: string, report: (state: GatewayState) => Promise<void>): Promise<void> => {
    const [seen] = await open().unresolved();
    if (seen === undefined) throw new Error('no entry');
    const { state, orphans } = process(by);
    await orphans.settle(seen, { transaction: '0x1' }, () => report(state));
  };
  await expect(settle('one', broken)).rejects.toThrow('no state');
  await settle('two', (state) => state.report(entryAt(clock, 'n1').ifSettled, 'n1'));
  const state = open();
  expect([await state.adopt(identity), await state.adopt(identity)]).toEqual([`${identity} trace n1`, null]);
  expect(await state.unresolved()).toEqual([]);
});

test('what a call has taken over and could not be recorded as settled is left as it was [gateway.paying.adopted-while-settled]', async () => {
  await leave('n1', 'dead');
  const { state, orphans } = process('one');
  const taken = await adopt(orphans);
  if (taken === null) throw new Error('no orphan');
  const broken = orphans.settle(taken, { transaction: '0x1' }, () => Promise.reject(new Error('no state')));
  await expect(broken).rejects.toThrow('no state');
  await orphans.letGo(taken, false);
  orphans.end(call, taken);
  expect(await state.adopt(identity)).toBeNull();
  expect(await adopt(orphans)).toMatchObject({ nonce: 'n1' });
});

test('a state that fails while an answer is offered is told of once', async () => {
  await leave('n1', 'dead');
  const state = open();
  const [seen] = await state.unresolved();
  if (seen === undefined) throw new Error('no entry');
  let asked = 0;
  const passOn: GatewayState['passOn'] = (...passing) =>
    (asked += 1) === 1 ? state.passOn(...passing) : Promise.reject(new Error('no state'));
  const offer = () => Promise.reject(new Error('no state'));
  const warned: unknown[] = [];
  const { orphans } = process('one', { ...state, passOn, offer }, (error) => void warned.push(error));
  await expect(orphans.settle(seen, { transaction: '0x1' }, async () => {})).rejects.toThrow('no state');
  expect({ asked, warned }).toEqual({ asked: 2, warned: [] });
});
