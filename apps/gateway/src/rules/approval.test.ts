import { expect, test } from 'vitest';
import { address, demandFor, merchant, now, owner, required, stranger } from '../../test/samples.ts';
import {
  approvesPayment,
  methodInId,
  readApprovalClaim,
  type StoredApproval,
  whyNotUsable,
} from './approval.ts';

const terms = { serviceId: 'shop', toolName: 'quote', argumentsHash: `0x${'ab'.repeat(32)}` } as const;
const call = { ...terms, agent: 'alice' };
const stored: StoredApproval = {
  chainId: 84532,
  agent: 'alice',
  usedAt: null,
  message: {
    ...terms,
    approvalId: 'apr_1',
    payer: address(owner),
    payTo: address(merchant),
    asset: demandFor(required()).token.address,
    amount: '10000',
    expiresAt: new Date(now + 900_000).toISOString(),
  },
};

test('an approval serves its own call for 15 minutes, once [gateway.code.approval-expired]', () => {
  expect(whyNotUsable(stored, call, now)).toBeNull();
  expect(whyNotUsable(stored, call, now + 899_999)).toBeNull();
  expect(whyNotUsable(stored, call, now + 900_000)).toBe('APPROVAL_EXPIRED');
  expect(whyNotUsable({ ...stored, usedAt: now }, call, now)).toBe('APPROVAL_ALREADY_USED');
  expect(whyNotUsable(null, call, now)).toBe('PAYMENT_PAYLOAD_INVALID');
});

test('another call is not what was approved, even when the approval is used or expired', () => {
  for (const other of [
    { serviceId: 'x' },
    { toolName: 'x' },
    { agent: 'bob' },
    { agent: null },
    { argumentsHash: `0x${'cd'.repeat(32)}` as const },
  ]) {
    expect(whyNotUsable(stored, { ...call, ...other }, now)).toBe('PAYMENT_PAYLOAD_INVALID');
    expect(whyNotUsable({ ...stored, usedAt: now }, { ...call, ...other }, now)).toBe(
      'PAYMENT_PAYLOAD_INVALID',
    );
  }
});

test('another payee, asset, chain, payer or amount is another payment', () => {
  const demand = demandFor(required());
  expect(approvesPayment(stored, address(owner), demand)).toBe(true);
  expect(approvesPayment(stored, address(stranger), demand)).toBe(false);
  expect(approvesPayment(stored, address(owner), demandFor(required({ amount: '9999' })))).toBe(false);
  expect(approvesPayment(stored, address(owner), demandFor(required({ payTo: stranger.address })))).toBe(
    false,
  );
  expect(approvesPayment({ ...stored, chainId: 8453 }, address(owner), demand)).toBe(false);
});

test('by another method, or at the word of another facilitator, it is another payment [gateway.permit2.approved]', () => {
  const demand = demandFor(required());
  const ways = [
    { kind: 'eip3009' },
    { kind: 'permit2', sponsored: false },
    { kind: 'upto', sponsored: false, facilitator: address(merchant) },
    { kind: 'upto', sponsored: false, facilitator: address(stranger) },
  ] as const;
  for (const asked of ways)
    for (const by of ways) {
      const approvalId = `apr_1${methodInId(asked)}`;
      const approved = { ...stored, message: { ...stored.message, approvalId } };
      expect(approvesPayment(approved, address(owner), { ...demand, by })).toBe(asked === by);
    }
  const sponsored = { ...demand, by: { kind: 'permit2', sponsored: true } } as const;
  const approved = { ...stored, message: { ...stored.message, approvalId: 'apr_1_permit2' } };
  expect(approvesPayment(approved, address(owner), sponsored)).toBe(true);
});

test('a claim needs an id; the signature may come from the dashboard', () => {
  expect(readApprovalClaim({ approvalId: 'apr_1' })).toEqual({ approvalId: 'apr_1' });
  expect(readApprovalClaim({ approvalId: 'apr_1', signature: '0x12', extra: 1 })).toEqual({
    approvalId: 'apr_1',
    signature: '0x12',
  });
  for (const bad of [null, undefined, 'apr_1', {}, { approvalId: '' }, { approvalId: 'a', signature: 1 }]) {
    expect(readApprovalClaim(bad)).toBeNull();
  }
});
