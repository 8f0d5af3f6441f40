import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { address, amount, merchant, owner } from '../../test/samples.ts';
import type { PaymentEntry } from '../ports.ts';
import { type LmdbState, openLmdbState } from './lmdb.ts';

let dir: string;
let state: LmdbState;
let clock = 1_000_000_000_000;
let ids = 0;
const reopen = () =>
  openLmdbState(
    dir,
    () => clock,
    () => `id${++ids}`,
  );

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'countersign-state-'));
  state = reopen();
});
afterEach(async () => {
  await state.close();
  rmSync(dir, { recursive: true });
});

const entry = (nonce: string, more: Partial<PaymentEntry> = {}): PaymentEntry => ({
  nonce,
  mandateId: 'mdt_1',
  holdId: null,
  amount: '1',
  validBefore: clock / 1000 + 60,
  payload: { signed: nonce },
  payer: address(owner),
  asset: address(merchant),
  openedAt: clock,
  ifSettled: { serviceName: 'shop', serviceResult: 'pass', chain: 'base', intentMandateId: 'mdt_1' },
  ...more,
});
const within = (remaining: string, askedAt = clock) => ({ remaining: amount(remaining), askedAt });
const open = async (nonce: string, remaining: string, more: Partial<PaymentEntry> = {}) =>
  (await state.openPayment(entry(nonce, more), within(remaining), null)).kind;

test('open payments of a mandate never exceed what is left of it, however many come at once', async () => {
  const kinds = await Promise.all(Array.from({ length: 20 }, (_, i) => open(`n${i}`, '7')));
  expect(kinds.filter((kind) => kind === 'opened').length).toBe(7);
  expect(await open('elsewhere', '1', { mandateId: 'mdt_2' })).toBe('opened');
});

test('what was opened is known again, also after a restart: never a second payload', async () => {
  await open('n1', '7');
  await state.close();
  state = reopen();
  const again = await state.openPayment(entry('n1', { payload: { signed: 'another' } }), within('7'), null);
  expect(again).toMatchObject({ kind: 'known', entry: { payload: { signed: 'n1' } } });
});

test('a payment takes budget until it is known to be unused, not just until its time is over', async () => {
  await open('n1', '1');
  clock += 121_000;
  expect(await open('n2', '1')).toBe('over-budget');
  await state.resolveUnused('n1');
  expect(await open('n2', '1')).toBe('opened');
});

test('a payment whose time is over may be signed anew under the same nonce', async () => {
  await open('n1', '1');
  clock += 61_000;
  await state.resolveUnused('n1');
  expect(await open('n1', '1', { payload: { signed: 'anew' } })).toBe('opened');
});

test('a settled payment takes budget until the dashboard has counted it, however long that takes', async () => {
  await open('n1', '1');
  await state.report(entry('n1').ifSettled, 'n1');
  clock += 3_600_000;
  expect(await open('n2', '1')).toBe('over-budget');
  const [stored] = state.pending(8);
  if (stored === undefined) throw new Error('no report');
  // The look-up of what is left began before the dashboard had counted it: its answer may be too high.
  const askedAt = clock;
  clock += 5;
  await state.delivered(stored);
  expect((await state.openPayment(entry('n2'), within('1', askedAt), null)).kind).toBe('over-budget');
  clock += 5;
  expect(await open('n2', '1')).toBe('opened');
});

test('what the dashboard holds is not counted twice', async () => {
  await state.openPayment(entry('n1', { holdId: 'hld_1' }), null, null);
  expect(await open('n2', '1')).toBe('opened');
});

test('a payment is unresolved until it is reported or found unused', async () => {
  await open('n1', '9');
  await open('n2', '9');
  await open('n3', '9');
  expect((await state.unresolved()).map(({ nonce }) => nonce)).toEqual(['n1', 'n2', 'n3']);
  await state.report(entry('n1').ifSettled, 'n1');
  await state.resolveUnused('n2');
  expect((await state.unresolved()).map(({ nonce }) => nonce)).toEqual(['n3']);
});

test('an approval is used up by the payment it opens, once', async () => {
  const message = { approvalId: 'apr_1' } as Parameters<LmdbState['keepApproval']>[0]['message'];
  await state.keepApproval({ message, chainId: 84532, usedAt: null });
  const kinds = await Promise.all(
    ['a', 'b', 'c'].map(async (nonce) => (await state.openPayment(entry(nonce), null, 'apr_1')).kind),
  );
  expect(kinds.toSorted()).toEqual(['approval-used', 'approval-used', 'opened']);
  expect((await state.findApproval('apr_1'))?.usedAt).toBe(clock);
  expect((await state.openPayment(entry('d'), null, 'apr_unknown')).kind).toBe('approval-used');
});

test('reports wait in order until they are delivered, and a refused one is set aside', async () => {
  for (const chain of ['one', 'two', 'three']) {
    await state.report({ ...entry('n').ifSettled, chain }, null);
    clock += 1;
  }
  expect(state.pending(8).map(({ report }) => report.chain)).toEqual(['one', 'two', 'three']);
  const [first, second] = state.pending(2);
  if (first === undefined || second === undefined) throw new Error('no reports');
  await state.delivered(first);
  await state.park(second, '400');
  await state.close();
  state = reopen();
  expect(state.pending(8).map(({ report }) => report.chain)).toEqual(['three']);
});
