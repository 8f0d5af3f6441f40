import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { expect, test } from 'vitest';
import type { PaymentEntry } from '../ports/payment-entry.ts';
import { type Answers, goodAnswers, portsWith } from '../../test/paying-ports.ts';
import { address, call, owner } from '../../test/samples.ts';
import { callAndPay } from './call-and-pay.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';

/** A gateway with these answers, and what it reported. */
async function reporting(changes: Partial<Answers> = {}) {
  const reports: TransactionReport[] = [];
  const receipts: GatewayPorts['receipts'] = {
    configuration: { text: '{}', hash: '00' },
    append: (_draft, _inputs, report) => {
      if (report !== null) reports.push(report(null).report);
      return Promise.resolve(null);
    },
  };
  return { ports: portsWith({ ...(await goodAnswers()), ...changes }, receipts), reports };
}

const noMandate = { mandate: { kind: 'none', reason: 'MANDATE_REVOKED' } } as const;

test('a refusal by compliance is not reported as a mandate’s, and the mandate’s own is [gateway.report.metadata.reason]', async () => {
  const payerKyc = {
    kind: 'answer',
    answer: { walletAddress: address(owner), kycCompleted: false, kycStatus: 'rejected' },
  } as const;
  const refused = await reporting({ ...noMandate, payerKyc });
  expect(await callAndPay(refused.ports, call())).toMatchObject({ code: 'PAYER_KYC_NOT_APPROVED' });
  expect(refused.reports.map(({ metadata }) => [metadata?.['code'], metadata?.['reason']])).toEqual([
    ['PAYER_KYC_NOT_APPROVED', undefined],
  ]);
  const ended = await reporting(noMandate);
  await callAndPay(ended.ports, call());
  expect(ended.reports.map(({ metadata }) => metadata?.['reason'])).toEqual(['MANDATE_REVOKED']);
});

/** What the gateway journals of a call that it pays for. */
async function journaled(approvalId: string): Promise<PaymentEntry> {
  const entries: PaymentEntry[] = [];
  const { ports } = await reporting();
  const openPayment: GatewayPorts['state']['openPayment'] = (entry) => {
    entries.push(entry);
    return Promise.resolve({ kind: 'opened', entry });
  };
  await callAndPay({ ...ports, state: { ...ports.state, openPayment } }, call(keyed));
  const [entry] = entries;
  if (entry === undefined) throw new Error('nothing was paid');
  const { ifSettled } = entry;
  return { ...entry, ifSettled: { ...ifSettled, metadata: { ...ifSettled.metadata, approvalId } } };
}
const keyed = { idempotencyKey: 'order-1' };

test('a payment that the owner approved names its approval also where the same call sends it again [gateway.report.metadata.payment]', async () => {
  const earlier = await journaled('apr_1');
  const { ports, reports } = await reporting({ journal: 'known' });
  const state = { ...ports.state, paymentOf: () => Promise.resolve(earlier) };
  expect(await callAndPay({ ...ports, state }, call(keyed))).toMatchObject({ code: 'SUCCESS' });
  expect(reports.map(({ metadata }) => metadata?.['approvalId'])).toEqual(['apr_1']);
});

test('a payment that turns out to have settled is reported as one that did [gateway.paying.reconcile]', async () => {
  const { ifSettled } = await journaled('apr_1');
  expect(ifSettled).toMatchObject({
    serviceResult: 'pass',
    metadata: { code: 'SUCCESS', stage: 'tool_execution' },
  });
});
