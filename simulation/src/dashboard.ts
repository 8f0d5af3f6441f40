import type { DashboardClient } from '@countersign/gateway/adapters/dashboard';
import { consumes, dedupeKeys, textIn } from '@countersign/dashboard/transactions/same';
import { noActiveMandate } from '@countersign/dashboard/mandates/lifecycle';
import { parseAmount } from '@countersign/protocol/amount';
import { dashboardCodes } from '@countersign/protocol/dashboard/codes';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import * as reference from '../../apps/dashboard/test/model/reference.ts';
import { type Asked, Inbox } from './inbox.ts';
import type { Plan } from './plan.ts';
import { ok, refused, type Reply, replyTo, settled } from './reply.ts';
import { expiresAt, mandateName, perTxLimit, type Signed, text } from './samples.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * The dashboard of one owner. Budgets, holds and states are those of the reference that the real one is held against
 * after every step (apps/dashboard/test/model); what makes two reports one, and what consumes, is its own code.
 */
export class Dashboard {
  readonly model: reference.Model;
  readonly records: TransactionReport[] = [];
  readonly inbox = new Inbox();
  isAway = false;
  readonly #known = new Set<string>();
  readonly #signed: Signed;
  readonly #now: () => number;
  readonly #holds: Plan['holds'];

  constructor(now: () => number, signed: Signed, holds: Plan['holds']) {
    this.#now = now;
    this.#signed = signed;
    this.#holds = holds;
    this.model = reference.newModel(now());
  }

  /** The owner signs a mandate; one that is active is revoked by it. */
  signMandate(id: string, budget: string): void {
    const mandate = reference.draft({
      id,
      typedData: budget,
      perTx: units(perTxLimit),
      total: units(budget),
      expiresAt: Date.parse(expiresAt),
    });
    this.#tick().mandates.push(mandate);
    reference.sign(this.model, mandate);
  }

  revoke(id: string): void {
    const mandate = this.#mandate(id);
    if (mandate !== undefined) reference.revoke(this.#tick(), mandate);
  }

  /** What each of the gateway's questions comes to, at the moment at which it arrives. */
  readonly answers: { readonly [Route in keyof DashboardClient]?: (body: never) => Reply } = {
    // Screening decides nothing about money here: everybody is well known.
    kycCheck: ({ walletAddress }: Body) => ok({ walletAddress, kycCompleted: true, kycStatus: 'approved' }),
    kytCheck: ({ walletAddress: address, chain }: Body) => ok({ address, chain, ...harmless }),
    publicKey: ({ walletAddress }: Body) => ok({ walletAddress, publicKey: this.#signed.merchantKey }),
    site: () => ok({ publicUrl: 'https://dashboard.example' }),
    mandateCredential: () => this.#credential(),
    holdMandate: (body: HoldBody) => this.#hold(body),
    releaseHold: ({ holdId, holder }: HoldBody) => replyTo(reference.release(this.#tick(), holdId, holder)),
    reportTransaction: (report: TransactionReport) => this.#report(report),
    createApproval: (asked: Asked) => this.inbox.ask(asked),
    getApproval: ({ approvalId }: Asked) => this.inbox.wordOn(approvalId),
    useApproval: ({ approvalId }: Asked) => this.inbox.use(approvalId),
  };

  /** Unix ms, by its own clock. */
  get now(): number {
    return this.#now();
  }

  #tick(): reference.Model {
    this.model.now = this.#now();
    return this.model;
  }

  #mandate(id: unknown): reference.ModelMandate | undefined {
    return this.model.mandates.find((mandate) => mandate.id === id);
  }

  #credential(): Reply {
    const model = this.#tick();
    const mandate = model.mandates.find((one) => reference.statusOf(model, one) === 'active');
    const newest = model.mandates.at(-1);
    if (mandate === undefined) {
      const status = newest === undefined ? null : reference.statusOf(model, newest);
      const no = noActiveMandate(status === 'active' ? null : status, newest !== undefined);
      return no.ok ? ok(null) : refused(no.error);
    }
    const { id, perTx, total, used } = mandate;
    return ok({
      mandate: {
        id,
        status: 'active',
        perTxLimit: text(perTx),
        totalBudget: text(total),
        usedAmount: text(used),
        expiresAt,
      },
      remainingBudget: text(reference.remainingOf(model, mandate)),
      vcJson: this.#signed.credentials.get(mandateName(id, String(mandate.typedData))),
    });
  }

  #hold({ holdId, mandateId, amount, ttlSeconds, payee, serviceId, holder, approvalId }: HoldBody): Reply {
    if (this.#holds === 'none') return refused({ code: 'BUSINESS_NOT_FOUND', msg: 'no such endpoint' });
    const model = this.#tick();
    const mandate = this.#mandate(mandateId);
    if (mandate === undefined) return replyTo(dashboardCodes.MANDATE_NOT_FOUND.code);
    const knowsApprovals = this.#holds === 'by approval too';
    const told = (knowsApprovals ? this.inbox.toldOf(approvalId, { payee, amount }) : []) as reference.Rule[];
    const request = { id: holdId, amount: units(amount), ttlSeconds, payee, serviceId, holder, told };
    const exceeded = knowsApprovals ? { exceeded: reference.exceeded(model, mandate, request) } : {};
    const code = reference.hold(model, mandate, request);
    const until = model.holds.find(({ id }) => id === holdId)?.expiresAt ?? 0;
    const placed = { holdId, remainingBudget: '0', expiresAt: new Date(until).toISOString() };
    return replyTo(code, code === settled ? placed : exceeded);
  }

  #report(report: TransactionReport): Reply {
    const keys = dedupeKeys(report);
    if (keys.some((key) => this.#known.has(key))) return replyTo(dashboardCodes.REPEATED_SUBMIT.code);
    const code = consumes(report) ? this.#charge(report) : settled;
    if (code !== settled) return replyTo(code);
    const [key] = keys;
    if (key !== undefined) this.#known.add(key);
    this.records.push(report);
    return ok({ id: this.records.length });
  }

  #charge({ intentMandateId, amount, metadata }: TransactionReport): number {
    const mandate = this.#mandate(intentMandateId);
    if (mandate === undefined) return dashboardCodes.MANDATE_NOT_FOUND.code;
    const payment = { amount: units(amount ?? '0'), holdId: textIn(metadata, 'holdId') };
    return reference.pay(this.#tick(), mandate, payment);
  }
}

type HoldBody = {
  readonly holdId: string;
  readonly mandateId: string;
  readonly amount: string;
  readonly ttlSeconds: number;
  readonly payee?: string;
  readonly serviceId?: string;
  readonly holder?: string;
  readonly approvalId?: string;
};

const harmless = { decision: 'pass', riskLevel: 'low', riskScore: 0 };

/** In units of 10^-18, as the reference has them. */
export const units = (decimal: string): bigint => parseAmount(decimal) ?? 0n;
