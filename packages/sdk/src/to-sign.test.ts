import { parseAddress } from '@countersign/protocol/address';
import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { paymentMandateTypedData } from '@countersign/protocol/gateway/payment-mandate';
import { expect, test } from 'vitest';
import { type Draft, mandateToSign, paymentToSign } from './to-sign.ts';

const addressOf = (digit: string) => {
  const address = parseAddress(`0x${digit.repeat(40)}`);
  if (address === null) throw new Error('no address');
  return address;
};
const [payer, payTo, asset, thief] = [addressOf('1'), addressOf('2'), addressOf('3'), addressOf('4')];
const now = new Date('2026-11-22T04:00:00Z');
const typedData = { domain: { chainId: 84532 }, types: {}, primaryType: 'x', message: {} };

const terms = { title: 'Research agent', perTxLimit: '1', totalBudget: '20.0', validDays: 30 };
const drafted = (change: object): Draft => ({
  mandate: {
    id: 'm',
    accountId: 'a',
    perTxLimit: '1',
    totalBudget: '20',
    expiresAt: '2026-12-22T04:00:00.000Z',
    ...change,
  } as Draft['mandate'],
  typedData,
});

test('a mandate is signed as it was asked for, and no wider [system.sdk.signs-what-was-asked]', () => {
  expect(mandateToSign(drafted({}), terms, payer, now)).toMatchObject({
    domain: { name: 'Platform Intent Mandate', chainId: 84532 },
    primaryType: 'IntentMandate',
    message: { id: 'm', payerAddress: payer, perTxLimit: '1', totalBudget: '20' },
  });
  for (const wider of [
    { perTxLimit: '1000' },
    { perTxLimit: '1.000000000000000001' },
    { totalBudget: '2000' },
    { expiresAt: '2027-12-22T04:00:00.000Z' },
    { expiresAt: 'never' },
  ])
    expect(mandateToSign(drafted(wider), terms, payer, now)).toBe(null);
  const elsewhere = { ...drafted({}), typedData: { ...typedData, domain: {} } };
  expect(mandateToSign(elsewhere, terms, payer, now)).toBe(null);
});

const payment = {
  approvalId: 'apr_1',
  serviceId: 'quotes',
  toolName: 'get_report',
  argumentsHash: `0x${'ab'.repeat(32)}`,
  payer,
  payTo,
  asset,
  amount: '5000000',
  expiresAt: '2026-11-22T04:15:00.000Z',
} as const;
const asked = (message: object): Approval => ({
  ...payment,
  amount: '5',
  currency: 'USDC',
  reason: 'PER_TX_LIMIT_EXCEEDED',
  typedData: { ...paymentMandateTypedData(payment, 84532), message: { ...payment, ...message } },
  state: 'pending',
  signature: null,
  rejectReason: null,
  createdAt: now.toISOString(),
  decidedAt: null,
});

test('a payment is signed when it is the one that is shown, in every field [system.sdk.signs-what-was-asked]', () => {
  expect(paymentToSign(asked({}))).toEqual(paymentMandateTypedData(payment, 84532));
  for (const other of [
    { approvalId: 'apr_2' },
    { serviceId: 'archive' },
    { toolName: 'get_quote' },
    { argumentsHash: `0x${'cd'.repeat(32)}` },
    { payer: thief },
    { payTo: thief },
    { asset: thief },
    { amount: '500000000' },
    { amount: '-5000000' },
    { amount: '5e6' },
    { expiresAt: '2027-11-22T04:15:00.000Z' },
    { more: 'than there is' },
  ])
    expect(paymentToSign(asked(other))).toBe(null);
  expect(paymentToSign({ ...asked({}), currency: 'DAI' })).toBe(null);
});
