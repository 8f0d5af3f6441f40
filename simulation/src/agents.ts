import { callAndPay } from '@countersign/gateway/payment/call-and-pay';
import type { ToolCall } from '@countersign/gateway/ports/tool-call';
import { hashApproval } from '@countersign/gateway/rules/approval';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import type { PaymentMandateMessage } from '@countersign/protocol/gateway/payment-mandate';
import { Canceller } from '@countersign/service/cancellation';
import { signHash } from '@countersign/service/ethereum/signature';
import { silentSpan } from '@countersign/service/trace';
import type { Dashboard } from './dashboard.ts';
import type { Caller, Ledger } from './ledger.ts';
import type { Machines } from './machines.ts';
import type { Plan, Purchase } from './plan.ts';
import type { Process } from './process.ts';
import type { Random } from './random.ts';
import { ownerKey, policy } from './samples.ts';
import type { Life, Schedule } from './schedule.ts';

type Parts = {
  readonly plan: Plan;
  readonly schedule: Schedule;
  readonly random: Random;
  readonly dashboard: Dashboard;
  readonly ledger: Ledger;
  readonly newTrace: () => string;
  readonly machines: Pick<Machines, 'anyProcess'>;
  readonly onAnswer: (caller: Caller) => void;
  readonly fail: (why: string) => void;
};

/** What an agent does in a call that is over. */
type Ended = GatewayEnvelope | 'cancelled' | 'lost';

/** The agents, who make their calls and hear the answers, and the owner, whom they ask. */
export class Agents {
  readonly #parts: Parts;
  readonly #life: Life = { name: 'agents', isAlive: true };
  #busy = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    for (const purchase of parts.plan.purchases) this.#begin(purchase, purchase.at);
    for (const purchase of parts.plan.purchases)
      if (purchase.hasTwin) this.#begin({ ...purchase, name: `${purchase.name}'s twin` }, purchase.at + 20);
  }

  /** Whether all have what they wanted, or have given up. */
  get areDone(): boolean {
    return this.#busy === 0;
  }

  #begin(purchase: Purchase, at: number): void {
    this.#busy += 1;
    this.#parts.schedule.in(at, this.#life, `${purchase.name} begins`, () => void this.#buy(purchase));
  }

  async #buy(purchase: Purchase): Promise<void> {
    let approvalId: string | null = null;
    for (let n = 0; n < purchase.maxCalls; n += 1) {
      const ended = await this.#call(purchase, await this.#someProcess(purchase.disk), n, approvalId);
      if (typeof ended !== 'string' && ended.detail.paymentMade && purchase.key === undefined) break;
      approvalId = typeof ended === 'string' ? approvalId : this.#askOwner(ended);
      await this.#pause(this.#parts.random.pick([10, 200, 1500]));
    }
    this.#busy -= 1;
  }

  async #someProcess(disk: number): Promise<Process> {
    for (;;) {
      const process = this.#parts.machines.anyProcess(disk);
      if (process !== null) return process;
      await this.#pause(500);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#parts.schedule.in(ms, this.#life, 'an agent goes on', resolve));
  }

  /** Ends with the answer, with the agent's patience or with the process. */
  #call(purchase: Purchase, process: Process, n: number, approvalId: string | null): Promise<Ended> {
    const { schedule, ledger, newTrace } = this.#parts;
    const traceId = newTrace();
    const signal = new Canceller();
    const caller: Caller = {
      purchase,
      traceId,
      bringsApproval: approvalId !== null,
      process,
      askedAt: schedule.now,
      hasLeft: false,
      isUntold: false,
      answer: null,
    };
    ledger.callers.push(caller);
    return new Promise((resolve) => {
      const leave = (how: 'cancelled' | 'lost'): void => {
        if (caller.hasLeft || caller.answer !== null) return;
        caller.hasLeft = true;
        if (how === 'cancelled') signal.abort();
        else ledger.lose(caller);
        resolve(how);
      };
      process.onDeath(() => leave('lost'));
      const patience = purchase.cancelAfter[n] ?? null;
      if (patience !== null)
        schedule.in(patience, this.#life, `${purchase.name} cancels`, () => leave('cancelled'));
      void this.#hear(process, caller, toolCall(caller, signal, approvalId), resolve);
    });
  }

  async #hear(
    process: Process,
    caller: Caller,
    call: ToolCall,
    tell: (answer: GatewayEnvelope) => void,
  ): Promise<void> {
    try {
      const answer = await callAndPay(process.ports, call);
      if (caller.hasLeft) return;
      caller.answer = answer;
      this.#parts.onAnswer(caller);
      tell(answer);
    } catch (error) {
      this.#parts.fail(`a call threw: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** The approval to come back with, which the owner may decide about by then; null where there is none to ask. */
  #askOwner({ code, detail }: GatewayEnvelope): string | null {
    const { approval } = (detail.paymentContext ?? {}) as { approval?: { approvalId: string } };
    if (code !== 'WALLET_APPROVAL_REQUIRED' || approval === undefined) return null;
    const { plan, schedule, random, dashboard } = this.#parts;
    if (plan.owner !== 'sleeps')
      schedule.in(random.between(1, 3000), this.#life, `the owner ${plan.owner}`, () => {
        dashboard.inbox.decide(approval.approvalId, ({ typedData: { message } }) =>
          plan.owner === 'approves' ? signatureOver(message as PaymentMandateMessage) : null,
        );
      });
    return approval.approvalId;
  }
}

const toolCall = ({ purchase, traceId }: Caller, signal: Canceller, approvalId: string | null): ToolCall => ({
  serviceId: 'shop',
  toolName: 'quote',
  arguments: { symbol: purchase.symbol },
  paymentPayload: approvalId === null ? undefined : { approvalId },
  idempotencyKey: purchase.key,
  waitSeconds: purchase.waitSeconds,
  maxAmount: purchase.maxAmount,
  traceId,
  span: silentSpan(traceId),
  agent: null,
  signal,
  wantsProgress: false,
  onProgress: () => {},
});

const chainId = policy.tokens[0]?.chainId ?? 0;

const signatureOver = (message: PaymentMandateMessage): string =>
  signHash(hashApproval({ message, chainId, agent: null, usedAt: null }), ownerKey);
