import { type Address, sameAddress } from '@countersign/protocol/address';
import { type Amount, decimalText, formatAmount, parseAmount } from '@countersign/protocol/amount';
import type { AgentState } from '@countersign/protocol/dashboard/agents';
import { type Approval, approvalRoutes } from '@countersign/protocol/dashboard/approvals';
import type { DashboardCode } from '@countersign/protocol/dashboard/codes';
import type { Told } from '@countersign/protocol/dialect';
import { holdRoutes } from '@countersign/protocol/dashboard/holds';
import { mandateNotFoundReasons } from '@countersign/protocol/dashboard/mandate';
import { type ExceededRule, exceededRule, type PolicyRefusal } from '@countersign/protocol/dashboard/policy';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { type Answer, type Client, createClient } from '@countersign/service/client';
import type { Timers } from '@countersign/service/timers';
import { rootOf, type Tracer } from '@countersign/service/trace';
import { z } from 'zod';
import { type AccessPort, accessPort } from '../access/dashboard.ts';
import type { GatewayConfig } from '../config.ts';
import type {
  ApprovalsPort,
  CompliancePort,
  HoldAnswer,
  HoldsPort,
  InboxWord,
  MandatePort,
} from '../ports/dashboard.ts';
import type { LimitCode } from '@countersign/protocol/gateway/codes';
import type { MandateAnswer } from '../rules/mandate.ts';
import { grouped } from './grouped.ts';

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
  agentWallet: z.unknown().optional(),
});

const neverHad = z.object({ hadMandate: z.literal(false) });

const lookups = {
  publicKey: {
    ...dashboardRoutes.publicKey,
    data: z.object({ walletAddress: z.string(), publicKey: z.string() }),
  },
  mandateCredential: { ...dashboardRoutes.mandateCredential, data: mandateAnswer },
  kycCheck: dashboardRoutes.kycCheck,
  kytCheck: dashboardRoutes.kytCheck,
  reportTransaction: dashboardRoutes.reportTransaction,
  announceAgent: dashboardRoutes.announceAgent,
  announceGateway: dashboardRoutes.announceGateway,
  introspectTokens: dashboardRoutes.introspectTokens,
  site: dashboardRoutes.site,
  ...approvalRoutes,
  ...holdRoutes,
} as const;

export type Dashboard = CompliancePort &
  MandatePort &
  ApprovalsPort &
  HoldsPort & {
    readonly report: (body: ReportBody, traceId: string) => Promise<Answer<{ id: number }, DashboardCode>>;
    readonly answers: () => Promise<DashboardState>;
    readonly announcing: Announcing;
    readonly access: AccessPort;
    readonly close: () => Promise<void>;
  };
/** Any answer of its own means that it is up. */
export type DashboardState = 'ok' | 'unavailable' | 'COMPLIANCE_API_KEY is refused';
type ReportBody = z.input<typeof dashboardRoutes.reportTransaction.body>;

/** The five calls of the gateway to the dashboard. Every answer is checked to be about what was asked (spec: gateway.compliance). */
export function connectDashboard(
  config: GatewayConfig,
  compliance: NonNullable<GatewayConfig['compliance']>,
  tracer: Tracer,
  timers: Timers,
): Dashboard {
  const client = createClient(lookups, dashboardDialect, {
    ...compliance,
    timeoutMs: config.complianceTimeoutMs,
    maxAnswerBytes: 256 * 1024,
  });
  const chain = config.complianceChain;
  return {
    ...dashboardPorts(client, { chain, tracer, timers }),
    async answers() {
      const answer = await client.kytCheck({ body: { walletAddress: zeroAddress, chain } });
      if (answer.kind === 'failed') return 'unavailable';
      return is(answer, 'API_KEY_INVALID') ? 'COMPLIANCE_API_KEY is refused' : 'ok';
    },
    announcing: {
      async chain() {
        const answer = await client.site({});
        return answer.kind === 'ok' ? (answer.data.chain ?? null) : null;
      },
      async announce(agentWallet, signature) {
        const answer = await client.announceAgent({ body: { agentWallet, signature } });
        return answer.kind === 'ok' ? answer.data.agent.state : whyNotAnnounced(answer);
      },
    },
    access: accessPort(client),
    close: () => client.close(),
  };
}

/** What an agent wallet says to its owner's dashboard at the start. Never throws. */
export type Announcing = {
  /** CAIP-2 id of the chain that the dashboard's statements are for; null without an answer. */
  readonly chain: () => Promise<string | null>;
  readonly announce: (wallet: Address, signature: string) => Promise<Announcement>;
};

/** `full`: the account has no room for one more. `not-now`: another refusal that can heal, as an API key that is not rolled yet. */
export type Announcement = AgentState | 'refused' | 'full' | 'not-now' | 'unavailable';

/** The one refusal that no time heals: this wallet is not, and will not be, an agent of this account. */
export function whyNotAnnounced(
  answer: Exclude<Answer<unknown, DashboardCode>, { kind: 'ok' }>,
): Announcement {
  if (answer.kind === 'failed') return 'unavailable';
  if (answer.code === 'UNAUTHORIZED_OPERATION') return 'refused';
  return answer.code === 'REPEATED_SUBMIT' ? 'full' : 'not-now';
}

export type DashboardClient = Omit<Client<typeof lookups, DashboardCode>, 'close'>;

type About = { readonly chain: string; readonly tracer: Tracer; readonly timers: Timers };

/** What the gateway asks, and how it understands each answer, whoever carries the two. */
export function dashboardPorts(
  client: DashboardClient,
  { chain, tracer, timers }: About,
): Omit<Dashboard, 'answers' | 'announcing' | 'access' | 'close'> {
  const { kyc, kyt } = screening(client, chain);
  const { publicKey, activeMandate } = mandates(client);
  return {
    kyc: grouped(kyc, timers),
    kyt: grouped(kyt, timers),
    publicKey: grouped(publicKey, timers),
    activeMandate: grouped(activeMandate, timers),
    ...inbox(client),
    async place({ amount, ...rest }, span) {
      const body = { ...rest, amount: formatAmount(amount) };
      return readHold(await client.holdMandate({ body, span }));
    },
    release: async (body, span) => void (await client.releaseHold({ body, span })),
    // Sent after its call has ended, or by a later process: the trace id is all that is left of it.
    report: (body, traceId) => client.reportTransaction({ body, span: tracer.join(rootOf(traceId)) }),
  };
}

const screening = (client: DashboardClient, chain: string): CompliancePort => ({
  async kyc(wallet, span) {
    const answer = await client.kycCheck({ body: { walletAddress: wallet }, span });
    if (is(answer, 'BUSINESS_NOT_FOUND')) return { kind: 'not-found' };
    if (is(answer, 'API_KEY_INVALID')) return notConfigured;
    const about = answer.kind === 'ok' && sameAddress(answer.data.walletAddress, wallet);
    return about ? { kind: 'answer', answer: answer.data } : unavailable;
  },
  async kyt(wallet, span) {
    const body = { walletAddress: wallet, chain };
    const answer = await client.kytCheck({ body, span });
    if (is(answer, 'API_KEY_INVALID')) return notConfigured;
    const about = answer.kind === 'ok' && sameAddress(answer.data.address, wallet);
    return about ? { kind: 'answer', answer: answer.data } : unavailable;
  },
});

const mandates = (client: DashboardClient): MandatePort => ({
  async publicKey(wallet, span) {
    const answer = await client.publicKey({ body: { walletAddress: wallet }, span });
    if (is(answer, 'BUSINESS_NOT_FOUND')) return { kind: 'not-found' };
    const about = answer.kind === 'ok' && sameAddress(answer.data.walletAddress, wallet);
    return about ? { kind: 'key', publicKey: answer.data.publicKey } : unavailable;
  },
  async activeMandate(payer, span) {
    const body = { payerWalletAddress: payer };
    const answer = await client.mandateCredential({ body, span });
    if (answer.kind === 'ok') return { kind: 'found', mandate: readMandate(answer.data) };
    if (is(answer, 'MANDATE_EXPIRED')) return { kind: 'expired' };
    if (answer.kind !== 'refused' || answer.code !== 'MANDATE_NOT_FOUND') return unavailable;
    // Only a plain no counts as never: of a dashboard that does not tell, nothing is concluded.
    if (neverHad.safeParse(answer.data).success) return { kind: 'never' };
    if (answer.msg.includes('MANDATE_EXPIRED')) return { kind: 'expired' };
    const reason = mandateNotFoundReasons.find((known) => known === answer.msg);
    return { kind: 'none', ...(reason !== undefined && { reason }) };
  },
});

const inbox = (client: DashboardClient): ApprovalsPort => ({
  async ask({ typedData, ...rest }, span) {
    type Body = z.input<typeof approvalRoutes.createApproval.body>;
    const body: Body = { ...rest, typedData: typedData as Body['typedData'] };
    return readWord(await client.createApproval({ body, span }));
  },
  wordOf: async (approvalId, span) => readWord(await client.getApproval({ body: { approvalId }, span })),
  async publicUrl(span) {
    const answer = await client.site({ span });
    return answer.kind === 'ok' ? new URL(answer.data.publicUrl) : null;
  },
  async use(approvalId, span) {
    await client.useApproval({ body: { approvalId }, span });
  },
});

function readWord(answer: Answer<{ approval: Approval }, DashboardCode>): InboxWord {
  if (answer.kind !== 'ok') return { kind: 'unknown' };
  const { state, signature, rejectReason } = answer.data.approval;
  switch (state) {
    case 'approved':
      return signature === null ? { kind: 'unknown' } : { kind: state, signature };
    case 'rejected':
      return { kind: state, reason: rejectReason };
    case 'pending':
    case 'expired':
    case 'used':
      return { kind: state };
  }
}

/** Fails closed: without a dashboard nobody passes (spec: gateway.compliance). */
export const refuseAll: CompliancePort & MandatePort & ApprovalsPort & HoldsPort = {
  place: () => Promise.resolve({ kind: 'refused', code: 'ASSURANCE_API_ERROR' }),
  release: () => Promise.resolve(),
  ask: () => Promise.resolve({ kind: 'unknown' }),
  wordOf: () => Promise.resolve({ kind: 'unknown' }),
  publicUrl: () => Promise.resolve(null),
  use: () => Promise.resolve(),
  kyc: () => Promise.resolve(notConfigured),
  kyt: () => Promise.resolve(notConfigured),
  publicKey: () => Promise.resolve(notConfigured),
  activeMandate: () => Promise.resolve(notConfigured),
};

const zeroAddress = '0x0000000000000000000000000000000000000000';
const unavailable = { kind: 'unavailable' } as const;
const notConfigured = { kind: 'not-configured' } as const;

const is = (answer: Answer<unknown, DashboardCode>, code: DashboardCode): boolean =>
  answer.kind === 'refused' && answer.code === code;

const readMandate = ({
  mandate,
  remainingBudget,
  vcJson,
  agentWallet,
}: z.infer<typeof mandateAnswer>): MandateAnswer => ({
  id: mandate.id,
  status: mandate.status,
  perTxLimit: amount(mandate.perTxLimit),
  totalBudget: amount(mandate.totalBudget),
  usedAmount: amount(mandate.usedAmount),
  remainingBudget: amount(remainingBudget),
  expiresAt: mandate.expiresAt,
  credential: vcJson,
  ...(agentWallet !== undefined && { statement: agentWallet }),
});

/** The schema has let only plain decimals through. */
const amount = (text: string): Amount => parseAmount(text) as Amount;

/**
 * Only a spent limit is the owner's to decide; whom an owner's policy does not list is refused. A 404 means two things: with the mandate's own code there is no such
 * mandate; without it the dashboard has no such endpoint.
 */
function readHold(answer: Answer<{ expiresAt: string }, DashboardCode>): HoldAnswer {
  if (answer.kind === 'ok') return { kind: 'held', until: Date.parse(answer.data.expiresAt) };
  if (answer.kind === 'failed') return refused('ASSURANCE_API_ERROR');
  if (answer.code === 'UNAUTHORIZED_OPERATION') return notListed(answer.msg);
  const unforeseen = answer.status === 404 ? ({ kind: 'absent' } as const) : refused('ASSURANCE_API_ERROR');
  const no = notHeld[answer.code] ?? unforeseen;
  const reason = policyWords.find((known) => known === answer.msg);
  const told = { ...no, ...(reason !== undefined && { reason }) };
  return told.kind === 'over-limit' ? { ...told, ...exceededIn(answer.data, told.code) } : told;
}

const exceededData = z.object({ exceeded: z.array(z.string()).min(1) });

/** Nothing where the dashboard does not tell. A rule that we do not know is one all the same. */
function exceededIn(data: unknown, otherwise: LimitCode): { readonly exceeded?: readonly ExceededRule[] } {
  const read = exceededData.safeParse(data);
  if (!read.success) return {};
  const known = read.data.exceeded.map((word) => exceededRule.safeParse(word).data ?? otherwise);
  return { exceeded: [...new Set(known)] };
}

/** The words that may be passed on: for the record alone, and never what a dashboard made up. */
const policyWords = [
  'MANDATE_PAUSED',
  'PERIOD_BUDGET_EXCEEDED',
  'APPROVAL_THRESHOLD_EXCEEDED',
  'NEW_PAYEE',
] as const satisfies readonly PolicyRefusal[];

const refused = (code: 'MANDATE_EXPIRED' | 'MANDATE_NOT_FOUND' | 'ASSURANCE_API_ERROR') =>
  ({ kind: 'refused', code }) as const;

const notHeld: {
  readonly [Code in Told<DashboardCode>]?: Extract<HoldAnswer, { kind: 'over-limit' | 'refused' }>;
} = {
  INTENT_PER_TX_EXCEEDED: { kind: 'over-limit', code: 'PER_TX_LIMIT_EXCEEDED' },
  INTENT_BUDGET_EXCEEDED: { kind: 'over-limit', code: 'TOTAL_BUDGET_EXCEEDED' },
  MANDATE_EXPIRED: refused('MANDATE_EXPIRED'),
  MANDATE_EXHAUSTED: refused('MANDATE_NOT_FOUND'),
  MANDATE_NOT_FOUND: refused('MANDATE_NOT_FOUND'),
};

/** Our own words: what the dashboard writes does not reach the agent. */
function notListed(msg: string): HoldAnswer {
  const why = whyNotPaid.find(([word]) => word === msg);
  if (why === undefined) return refused('ASSURANCE_API_ERROR');
  return { kind: 'refused', code: 'PAYMENT_UNSUPPORTED', why: why[1], reason: why[0] };
}

const notInPolicy = (what: string) => `the owner's policy for this mandate does not list this ${what}`;

const whyNotPaid = [
  ['MERCHANT_NOT_ALLOWED', notInPolicy('merchant')],
  ['SERVICE_NOT_ALLOWED', notInPolicy('service')],
  ['PAYEE_ON_OTHER_NETWORKS', 'the record of this payee is for other networks'],
] as const satisfies readonly (readonly [PolicyRefusal, string])[];
