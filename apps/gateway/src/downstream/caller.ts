import type { ServiceFailure } from '@countersign/protocol/gateway/envelope';
import { type Deadline, deadlineIn } from '@countersign/service/deadline';
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { CallOutcome } from '../rules/call-outcome.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import { Breaker } from './breaker.ts';
import { type Fault, faultOf, isNonsense, isSessionLost, rpcErrorIn, whyNonsense } from './failure.ts';
import type { KnownTool, KnownTools } from './known-tools.ts';
import { isOfferedForAnotherTool } from './offered-elsewhere.ts';
import { isForAnotherTool } from './priced-resource.ts';
import type { LastAsked } from './prices.ts';
import type { Payment, ServiceConnection } from './service-connection.ts';
import { Slots } from './slots.ts';

/** What a call needs of its service. */
export type Line = {
  /** The open connection; connects if there is none. Null when that fails or takes too long. */
  readonly open: () => Promise<{ readonly connection: ServiceConnection; readonly tools: KnownTools } | null>;
  /** Gives a connection up that has failed. */
  readonly drop: (connection: ServiceConnection, why: Fault) => void;
  /** The failure of the last attempt; undefined if it succeeded. */
  readonly failure: () => ServiceFailure | undefined;
  /** Resolves when the service answers anything. */
  readonly probe: () => Promise<unknown>;
};

/** A tool that reports progress gets its time anew each time, up to so many times as much. */
const maxByProgress = 10;

type Asked = Omit<Payment, 'payload'>;
const unasked: Asked = { dialect: 'specified', asked: undefined };

type Asking = Extract<CallOutcome, { kind: 'payment-required' }>;

type Malformed = Extract<CallOutcome, { kind: 'requirement-malformed' }>;

/**
 * Replaces a price that is for another tool than the one called. For HTTP, the connection has already judged
 * the offer.
 */
function judgedFor(
  outcome: Asking,
  { toolName }: ToolCall,
  tools: KnownTools,
  { transport }: ServiceConnection,
): Asking | Malformed {
  const { requirement, content } = outcome;
  if (isForAnotherTool(requirement, toolName, tools)) return { kind: 'requirement-malformed', content };
  return transport !== 'http' && isOfferedForAnotherTool(requirement, toolName)
    ? { kind: 'requirement-malformed', content, why: 'offered-elsewhere' }
    : outcome;
}

/** Sends the calls of one service: not too many at once, and none while it hangs. */
export class Caller {
  readonly #line: Line;
  readonly #breaker: Breaker;
  readonly #slots = new Slots();
  /** The definition by which each call was judged: by the time it is sent, another tool may have the name. */
  readonly #judgedBy = new WeakMap<ToolCall, KnownTool>();
  /** How each call was asked for payment: the payment goes back in the same dialect, to the same place. */
  readonly #asked = new WeakMap<ToolCall, Asked>();
  readonly #lastAsked = new Map<string, LastAsked>();

  constructor(line: Line) {
    this.#line = line;
    this.#breaker = new Breaker(line.probe);
  }

  /** Tells by which tool a call may be sent. */
  judged(call: ToolCall, tool: KnownTool): void {
    this.#judgedBy.set(call, tool);
  }

  /** Returns what the tool did when it was last called; undefined if it never was. */
  lastAsked(toolName: string): LastAsked | undefined {
    return this.#lastAsked.get(toolName);
  }

  /** Sends a call that carries no payment. Whatever goes wrong is an outcome. */
  async call(call: ToolCall, timeoutMs: number): Promise<CallOutcome> {
    if (!(await this.#breaker.admits())) return { kind: 'unavailable', failure: { reason: 'timeout' } };
    const beganAt = Date.now();
    const deadline = deadlineIn(timeoutMs, call.signal, timeoutMs * maxByProgress);
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
    else if (outcome.kind === 'result' && outcome.byRight !== undefined)
      this.#lastAsked.set(toolName, { paid: true, requirement: outcome.byRight });
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
      const payment = { payload, ...(this.#asked.get(call) ?? unasked) };
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
    payment: Payment | null,
  ): Promise<CallOutcome | 'session-lost'> {
    const open = await this.#line.open();
    if (open === null) return { kind: 'unavailable', failure: this.#line.failure() };
    const { connection, tools } = open;
    const tool = this.#judgedBy.get(call);
    try {
      const { outcome, asksIn, asked } = await connection.send(call, {
        signal,
        onProgress: prolong,
        tool,
        tools,
        payment,
      });
      if (asksIn !== null) this.#asked.set(call, { dialect: asksIn, asked });
      return outcome.kind === 'payment-required' ? judgedFor(outcome, call, tools, connection) : outcome;
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
