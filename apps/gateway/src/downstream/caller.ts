import type { ServiceFailure } from '@countersign/protocol/gateway/envelope';
import { type Deadline, deadlineIn } from '@countersign/service/deadline';
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { CallOutcome, ToolCall } from '../ports.ts';
import { Breaker } from './breaker.ts';
import type { Connection } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { type Fault, faultOf, isNonsense, isSessionLost, rpcErrorIn, whyNonsense } from './failure.ts';
import type { KnownTools } from './known-tools.ts';
import { isForAnotherTool } from './priced-resource.ts';
import type { LastAsked } from './prices.ts';
import { sendCall, type Sending } from './send-call.ts';
import { Slots } from './slots.ts';

/** What calls need of the service they go to. */
export type Line = {
  /** The open connection; connects if there is none. Null when that fails or takes too long. */
  readonly open: () => Promise<{ readonly connection: Connection; readonly tools: KnownTools } | null>;
  /** Gives a connection up that has failed. */
  readonly drop: (connection: Connection, why: Fault) => void;
  /** What the service failed by when it was last tried; undefined while it has not. */
  readonly failure: () => ServiceFailure | undefined;
  /** Resolves when the service answers anything. */
  readonly probe: () => Promise<unknown>;
};

/** A tool that reports progress gets its time anew each time, up to so many times as much. */
const longestByProgress = 10;

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

  readonly #lastAsked = new Map<string, LastAsked>();

  constructor(line: Line) {
    this.#line = line;
    this.#breaker = new Breaker(line.probe);
  }

  /** What the tool did when it was last called; undefined for one that was not. */
  lastAsked(toolName: string): LastAsked | undefined {
    return this.#lastAsked.get(toolName);
  }

  /** Sends a call that carries no payment. Whatever goes wrong is an outcome. */
  async call(call: ToolCall, timeoutMs: number): Promise<CallOutcome> {
    if (!(await this.#breaker.admits())) return { kind: 'unavailable', failure: { reason: 'timeout' } };
    const beganAt = Date.now();
    const deadline = deadlineIn(timeoutMs, call.signal, timeoutMs * longestByProgress);
    try {
      const entered = await this.#slots.enter(deadline.signal);
      if (entered === 'full') return { kind: 'unavailable', failure: { reason: 'busy' } };
      if (entered !== 'entered') return { kind: 'timeout' };
      return await this.#callInSlot(call, deadline, beganAt);
    } finally {
      deadline.end();
    }
  }

  async #callInSlot(call: ToolCall, deadline: Deadline, beganAt: number): Promise<CallOutcome> {
    try {
      const first = await this.#send(call, deadline, null);
      // The service restarted: it refused the call by HTTP status, so it never ran.
      const outcome = first === 'session-lost' ? await this.#send(call, deadline, null) : first;
      if (outcome !== 'session-lost') this.#learn(call.toolName, outcome);
      return this.#heard(outcome, deadline, beganAt);
    } finally {
      this.#slots.leave();
    }
  }

  /** A tool that fails may still cost something the next time. */
  #learn(toolName: string, outcome: CallOutcome): void {
    if (outcome.kind === 'payment-required')
      this.#lastAsked.set(toolName, { paid: true, requirement: outcome.requirement });
    else if (outcome.kind === 'requirement-malformed') this.#lastAsked.set(toolName, { paid: true });
    else if (outcome.kind === 'result' && !outcome.isError) this.#lastAsked.set(toolName, { paid: false });
  }

  /**
   * Sends a paid call, whatever happens: the answer matters more than the agent's patience. The same payload goes out a
   * second time only where the service refused the first by HTTP status, because it had forgotten the session.
   */
  async callPaid(call: ToolCall, timeoutMs: number, payload: object): Promise<CallOutcome> {
    const beganAt = Date.now();
    const deadline = deadlineIn(timeoutMs);
    this.#slots.force();
    try {
      const payment = { payload, dialect: this.#askedIn.get(call) ?? 'specified' };
      const first = await this.#send(call, deadline, payment);
      const outcome = first === 'session-lost' ? await this.#send(call, deadline, payment) : first;
      return this.#heard(outcome, deadline, beganAt);
    } finally {
      deadline.end();
      this.#slots.leave();
    }
  }

  #heard(outcome: CallOutcome | 'session-lost', deadline: Deadline, beganAt: number): CallOutcome {
    if (outcome === 'session-lost') return { kind: 'unavailable', failure: { reason: 'closed' } };
    if (outcome.kind === 'unavailable') return outcome;
    if (outcome.kind !== 'timeout') this.#breaker.answered();
    // An agent that hangs up says nothing about the service.
    else if (deadline.expired()) this.#breaker.late(beganAt);
    return outcome;
  }

  async #send(
    call: ToolCall,
    { signal, prolong }: Deadline,
    payment: Sending['payment'],
  ): Promise<CallOutcome | 'session-lost'> {
    const open = await this.#line.open();
    if (open === null) return { kind: 'unavailable', failure: this.#line.failure() };
    const { connection, tools } = open;
    const annotations = tools.get(call.toolName)?.listed.annotations;
    try {
      const { outcome, asksIn } = await sendCall(connection, call, {
        signal,
        onProgress: prolong,
        annotations,
        payment,
      });
      if (asksIn !== null) this.#askedIn.set(call, asksIn);
      return isMisleading(outcome, call, tools)
        ? { kind: 'requirement-malformed', content: outcome.content }
        : outcome;
    } catch (error) {
      if (signal.aborted || (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout))
        return { kind: 'timeout' };
      if (isNonsense(error))
        return { kind: 'protocol-error', why: whyNonsense(error), error: rpcErrorIn(error) };
      const fault = faultOf(error);
      // A service that asks for fewer calls is well; a new connection would be more of them.
      if (fault.failure.reason !== 'rate_limited') this.#line.drop(connection, fault);
      return isSessionLost(error) ? 'session-lost' : { kind: 'unavailable', failure: fault.failure };
    }
  }
}
