import { expect, test } from 'vitest';
import { address, demandFor, owner, required, stranger } from '../../test/samples.ts';
import type { CallOutcome } from './call-outcome.ts';
import { judgeSettlement } from './settlement.ts';

const demand = demandFor(required());
const success = {
  success: true,
  transaction: `0x${'ab'.repeat(32)}`,
  network: 'eip155:84532',
  payer: owner.address,
};
const result = (settlement: unknown, isError = false): CallOutcome => ({
  kind: 'result',
  isError,
  content: [],
  settlement,
});
const again = (error: unknown, settlement?: unknown): CallOutcome => ({
  kind: 'payment-required',
  requirement: { ...required(), error },
  content: [],
  settlement,
});
const judge = (outcome: CallOutcome) => judgeSettlement(outcome, demand, address(owner)).kind;

test('a settlement with a transaction, our network and our payer is settled, also when the tool then failed', () => {
  expect(judge(result(success))).toBe('settled');
  expect(judge(result(success, true))).toBe('settled');
});

test.each([
  ['no transaction', { ...success, transaction: '' }],
  ['a transaction that is no hash', { ...success, transaction: '0x1234' }],
  ['another network', { ...success, network: 'eip155:1' }],
  ['another payer', { ...success, payer: stranger.address }],
  [
    'settlement_pending',
    { success: false, errorReason: 'settlement_pending', transaction: success.transaction },
  ],
  ['nothing', undefined],
  ['garbage', 'paid, thank you'],
])('a result with %s is unknown', (_name, settlement) => {
  expect(judge(result(settlement))).toBe('unknown');
});

test.each([{ kind: 'timeout' }, { kind: 'unavailable' }, { kind: 'protocol-error', why: 'ended' }] as const)(
  '$kind after sending is unknown',
  (outcome) => {
    expect(judge(outcome)).toBe('unknown');
  },
);

test('asked for money again: rejected; a settlement that failed is told apart', () => {
  expect(judge(again('invalid_exact_evm_signature'))).toBe('rejected');
  expect(judge(again('Settlement failed: insufficient_balance'))).toBe('failed');
  expect(judge(again('whatever', { success: false, errorReason: 'insufficient_balance' }))).toBe('failed');
  expect(judge(again('settlement_pending'))).toBe('unknown');
});
