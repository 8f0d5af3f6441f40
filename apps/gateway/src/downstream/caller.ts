import type { Cancellation } from '@countersign/service/cancellation';
import { type Deadline, deadlineIn } from '@countersign/service/deadline';
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { CallOutcome, ToolCall } from '../ports.ts';
import { Breaker } from './breaker.ts';
import type { Connection } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { isNonsense, isSessionLost, reasonOf } from './failure.ts';
import type { KnownTools } from './known-tools.ts';
import { isForAnotherTool } from './priced-resource.ts';
import { sendCall, type Sending } from './send-call.ts';
import { Slots } from './slots.ts';

/** What calls need of the service they go to. */
export type Line = {
  /** The open connection; connects if there is none. Null when that fails or takes too long. */
  readonly open: () => Promise<{ readonly connection: Connection; readonly tools: KnownTools } | null>;
  /** Gives a connection up that has failed. */
  readonly drop: (connection: Connection, why: string) => void;
  /** Resolves when the service answers anything. */
  readonly probe: () => Promise<unknown>;
};

type Asking = Extract<CallOutcome, { kind: 'payment-required' }>;

const isMisleading = (outcome: CallOutcome, { toolName }: ToolCall, tools: KnownTools): outcome is Asking =>
  outcome.kind === 'payment-required' && isForAnotherTool(outcome.requirement, toolName, tools);

/** Sends the calls of one service: not too many at once, and none while it hangs. */
export class Caller {
  readonly #line: Line;
  readonly #breaker: Breaker;
  readonly #slots = new Slots();
  /** How each call was asked for money: its payment goes back in the same dialect. */
  readonly #askedIn = new WeakMap<ToolCall, Dialect>();

  /** Which tools asked for money when they were last called without. */
  readonly #costs = new Map<string, boolean>();

  constructor(line: Line) {
    this.#line = line;
    this.#breaker = new Breaker(line.probe);
  }

  /** What the tool did when it was last called; undefined for one that was not. */
  askedForMoney(toolName: string): boolean | undefined {
    return this.#costs.get(toolName);
  }

  /** Sends a call that carries no payment. Whatever goes wrong is an outcome. */
  async call(call: ToolCall, timeoutMs: number): Promise<CallOutcome> {
    if (!(await this.#breaker.admits())) return { kind: 'unavailable' };
    const beganAt = Date.now();
    const deadline = deadlineIn(timeoutMs, call.signal);
    try {
      const entered = await this.#slots.enter(deadline.signal);
      if (entered !== 'entered') return { kind: entered === 'full' ? 'unavailable' : 'timeout' };
      return await this.#callInSlot(call, deadline, beganAt);
    } finally {
      deadline.end();
    }
  }

  async #callInSlot(call: ToolCall, deadline: Deadline, beganAt: number): Promise<CallOutcome> {
    const { signal } = deadline;
    try {
      const first = await this.#send(call, signal, null);
      // The service restarted: it refused the call by HTTP status, so it never ran.
      const outcome = first === 'session-lost' ? await this.#send(call, signal, null) : first;
      if (outcome !== 'session-lost') this.#learn(call.toolName, outcome);
      return this.#heard(outcome, deadline, beganAt);
    } finally {
      this.#slots.leave();
    }
  }

  /** A tool that fails may still cost something the next time. */
  #learn(toolName: string, outcome: CallOutcome): void {
    if (outcome.kind === 'payment-required' || outcome.kind === 'requirement-malformed')
      this.#costs.set(toolName, true);
    else if (outcome.kind === 'result' && !outcome.isError) this.#costs.set(toolName, false);
  }

  /** Sends a paid call, once, whatever happens: the answer matters more than the agent's patience. */
  async callPaid(call: ToolCall, timeoutMs: number, payload: object): Promise<CallOutcome> {
    const beganAt = Date.now();
    const deadline = deadlineIn(timeoutMs);
    this.#slots.force();
    try {
      const payment = { payload, dialect: this.#askedIn.get(call) ?? 'specified' };
      return this.#heard(await this.#send(call, deadline.signal, payment), deadline, beganAt);
    } finally {
      deadline.end();
      this.#slots.leave();
    }
  }

  #heard(outcome: CallOutcome | 'session-lost', deadline: Deadline, beganAt: number): CallOutcome {
    if (outcome === 'session-lost' || outcome.kind === 'unavailable') return { kind: 'unavailable' };
    if (outcome.kind !== 'timeout') this.#breaker.answered();
    // An agent that hangs up says nothing about the service.
    else if (deadline.expired()) this.#breaker.late(beganAt);
    return outcome;
  }

  async #send(
    call: ToolCall,
    signal: Cancellation,
    payment: Sending['payment'],
  ): Promise<CallOutcome | 'session-lost'> {
    const open = await this.#line.open();
    if (open === null) return { kind: 'unavailable' };
    const { connection, tools } = open;
    const annotations = tools.get(call.toolName)?.listed.annotations;
    try {
      const { outcome, asksIn } = await sendCall(connection, call, { signal, annotations, payment });
      if (asksIn !== null) this.#askedIn.set(call, asksIn);
      return isMisleading(outcome, call, tools)
        ? { kind: 'requirement-malformed', content: outcome.content }
        : outcome;
    } catch (error) {
      if (signal.aborted || (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout))
        return { kind: 'timeout' };
      if (isNonsense(error)) return { kind: 'protocol-error' };
      this.#line.drop(connection, reasonOf(error));
      return isSessionLost(error) ? 'session-lost' : { kind: 'unavailable' };
    }
  }
}
