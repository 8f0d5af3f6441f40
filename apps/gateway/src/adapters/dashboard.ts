import { sameAddress } from '@countersign/protocol/address';
import { type Amount, decimalText, parseAmount } from '@countersign/protocol/amount';
import { approvalRoutes } from '@countersign/protocol/dashboard/approvals';
import { dashboardCodes } from '@countersign/protocol/dashboard/codes';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { type Answer, createClient } from '@countersign/service/client';
import { z } from 'zod';
import type { GatewayConfig } from '../config.ts';
import type { ApprovalsPort, CompliancePort, MandateAnswer, MandatePort } from '../ports.ts';

/** Of `vc` only what the rules read. The credential stays unread here: a bad one is a refusal, not a broken look-up. */
const mandateAnswer = z.object({
  mandate: z.object({
    id: z.string(),
    status: z.string(),
    perTxLimit: decimalText,
    totalBudget: decimalText,
    usedAmount: decimalText,
    expiresAt: z.string(),
  }),
  remainingBudget: decimalText,
  vcJson: z.unknown(),
});

const lookups = {
  publicKey: {
    ...dashboardRoutes.publicKey,
    data: z.object({ walletAddress: z.string(), publicKey: z.string() }),
  },
  mandateCredential: { ...dashboardRoutes.mandateCredential, data: mandateAnswer },
  kycCheck: dashboardRoutes.kycCheck,
  kytCheck: dashboardRoutes.kytCheck,
  reportTransaction: dashboardRoutes.reportTransaction,
  ...approvalRoutes,
} as const;

export type Dashboard = CompliancePort &
  MandatePort &
  ApprovalsPort & {
    readonly report: (body: ReportBody, traceId: string) => Promise<Answer<{ id: number }>>;
    /** Whether it is up: any answer of its own will do. */
    readonly answers: () => Promise<boolean>;
    readonly close: () => Promise<void>;
  };
type ReportBody = z.input<typeof dashboardRoutes.reportTransaction.body>;

/** The five calls of the gateway to the dashboard (document 1, Outbound calls). Every answer is checked to be about what was asked. */
export function connectDashboard(
  config: GatewayConfig,
  compliance: NonNullable<GatewayConfig['compliance']>,
): Dashboard {
  const client = createClient(lookups, {
    ...compliance,
    timeoutMs: config.complianceTimeoutMs,
    maxAnswerBytes: 256 * 1024,
  });
  const chain = config.complianceChain;
  return {
    async kyc(wallet, traceId) {
      const answer = await client.kycCheck({ body: { walletAddress: wallet }, headers: traced(traceId) });
      if (is(answer, 'BUSINESS_NOT_FOUND')) return { kind: 'not-found' };
      const about = answer.kind === 'ok' && sameAddress(answer.data.walletAddress, wallet);
      return about ? { kind: 'answer', answer: answer.data } : unavailable;
    },
    async kyt(wallet, traceId) {
      const answer = await client.kytCheck({
        body: { walletAddress: wallet, chain },
        headers: traced(traceId),
      });
      const about =
        answer.kind === 'ok' && sameAddress(answer.data.address, wallet) && answer.data.chain === chain;
      return about ? { kind: 'answer', answer: answer.data } : unavailable;
    },
    async publicKey(wallet, traceId) {
      const answer = await client.publicKey({ body: { walletAddress: wallet }, headers: traced(traceId) });
      if (is(answer, 'BUSINESS_NOT_FOUND')) return { kind: 'not-found' };
      const about = answer.kind === 'ok' && sameAddress(answer.data.walletAddress, wallet);
      return about ? { kind: 'key', publicKey: answer.data.publicKey } : unavailable;
    },
    async activeMandate(payer, traceId) {
      const answer = await client.mandateCredential({
        body: { payerWalletAddress: payer },
        headers: traced(traceId),
      });
      if (answer.kind === 'ok') return { kind: 'found', mandate: readMandate(answer.data) };
      if (is(answer, 'MANDATE_EXPIRED')) return { kind: 'expired' };
      if (answer.kind !== 'refused' || answer.code !== dashboardCodes.MANDATE_NOT_FOUND.code)
        return unavailable;
      return answer.msg.includes('MANDATE_EXPIRED') ? { kind: 'expired' } : { kind: 'none' };
    },
    answers: async () =>
      (await client.kytCheck({ body: { walletAddress: zeroAddress, chain } })).kind !== 'failed',
    async ask(request, traceId) {
      const { typedData, ...rest } = request;
      const body = {
        ...rest,
        typedData: typedData as z.input<typeof approvalRoutes.createApproval.body>['typedData'],
      };
      await client.createApproval({ body, headers: traced(traceId) });
    },
    async signatureOf(approvalId, traceId) {
      const answer = await client.getApproval({ body: { approvalId }, headers: traced(traceId) });
      return answer.kind === 'ok' && answer.data.approval.state === 'approved'
        ? answer.data.approval.signature
        : null;
    },
    async use(approvalId, traceId) {
      await client.useApproval({ body: { approvalId }, headers: traced(traceId) });
    },
    report: (body, traceId) => client.reportTransaction({ body, headers: traced(traceId) }),
    close: () => client.close(),
  };
}

/** Fail-close: without a dashboard nobody passes (document 1, Errors, rule 1). */
export const refuseAll: CompliancePort & MandatePort & ApprovalsPort = {
  ask: () => Promise.resolve(),
  signatureOf: () => Promise.resolve(null),
  use: () => Promise.resolve(),
  kyc: () => Promise.resolve(notConfigured),
  kyt: () => Promise.resolve(notConfigured),
  publicKey: () => Promise.resolve(notConfigured),
  activeMandate: () => Promise.resolve(notConfigured),
};

const zeroAddress = '0x0000000000000000000000000000000000000000';
const unavailable = { kind: 'unavailable' } as const;
const notConfigured = { kind: 'not-configured' } as const;

const is = (answer: Answer<unknown>, code: keyof typeof dashboardCodes): boolean =>
  answer.kind === 'refused' && answer.code === dashboardCodes[code].code;

const readMandate = ({ mandate, remainingBudget, vcJson }: z.infer<typeof mandateAnswer>): MandateAnswer => ({
  id: mandate.id,
  status: mandate.status,
  perTxLimit: amount(mandate.perTxLimit),
  totalBudget: amount(mandate.totalBudget),
  usedAmount: amount(mandate.usedAmount),
  remainingBudget: amount(remainingBudget),
  expiresAt: mandate.expiresAt,
  credential: vcJson,
});

/** The schema has let only plain decimals through. */
const amount = (text: string): Amount => parseAmount(text) as Amount;

/** W3C trace context: the call's trace id, and a span id cut from it. */
const traced = (traceId: string) => ({ traceparent: `00-${traceId}-${traceId.slice(0, 16)}-01` });
