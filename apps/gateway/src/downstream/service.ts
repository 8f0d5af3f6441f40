import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { background } from '@countersign/service/background';
import type { Logger } from '@countersign/service/logger';
import type { DownstreamConfig, GatewayConfig } from '../config.ts';
import type { CallOutcome, ToolCall } from '../ports.ts';
import { type ArgumentCheck, checkArguments } from './arguments.ts';
import { connectDownstream } from './connect.ts';
import type { Connection } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { isNonsense, isSessionLost, reasonOf } from './failure.ts';
import { sendCall } from './send-call.ts';
import { type ListedTool, type ReadTool, readTools } from './tool-list.ts';

export type KnownTool = { readonly listed: ListedTool; readonly check: ArgumentCheck };

type State =
  | { readonly kind: 'connecting' }
  | {
      readonly kind: 'connected';
      readonly connection: Connection;
      readonly tools: ReadonlyMap<string, KnownTool>;
    }
  | { readonly kind: 'unavailable'; readonly error: string; readonly retryAt: number };

const toolsTtlMs = 60_000;
const retryAfterMs = 2000;

/**
 * One service behind the gateway: connects in the background, keeps its tool list, and calls its tools.
 * Nothing it does or fails to do touches another service.
 */
export class DownstreamService {
  readonly #config: GatewayConfig;
  readonly #log: Logger;
  readonly url: URL;
  /** Null until the service has told its name, where the configuration gives none. */
  serviceId: string | null;
  name: string | null = null;
  readonly #headers: Readonly<Record<string, string>>;
  /** How each call was asked for money: its payment goes back in the same dialect. */
  readonly #askedIn = new WeakMap<ToolCall, Dialect>();
  #state: State = { kind: 'connecting' };
  #connecting: Promise<void> | null = null;
  #refreshAt = 0;
  #closed = false;

  constructor(downstream: DownstreamConfig, config: GatewayConfig, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.url = downstream.url;
    this.serviceId = downstream.serviceId;
    // By the configured id only: a service must not get another one's key by taking its name.
    const { serviceId } = downstream;
    this.#headers = serviceId === null ? {} : (config.downstreamHeaders[serviceId] ?? {});
  }

  get state(): State {
    return this.#state;
  }

  /** Connects, unless it is connected or has just failed to. Never rejects; the state tells what came of it. */
  ready(): Promise<void> {
    const state = this.#state;
    if (this.#closed) return Promise.resolve();
    if (state.kind === 'connected') {
      // Behind the call's back: the old list still serves.
      if (Date.now() > this.#refreshAt) this.#refresh(state.connection);
      return Promise.resolve();
    }
    if (state.kind === 'unavailable' && Date.now() < state.retryAt) return Promise.resolve();
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#state.kind === 'connected') await this.#state.connection.close();
  }

  /** Sends one call; a paid one once, whatever happens. Whatever goes wrong is an outcome. */
  async call(call: ToolCall, timeoutMs: number, payment?: object): Promise<CallOutcome> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const outcome = await this.#callOnce(call, deadline, payment);
    if (outcome !== 'session-lost') return outcome;
    // The service restarted: it refused the call by HTTP status, so it never ran.
    const again = payment === undefined ? await this.#callOnce(call, deadline) : outcome;
    return again === 'session-lost' ? { kind: 'unavailable' } : again;
  }

  async #callOnce(
    call: ToolCall,
    deadline: AbortSignal,
    payment?: object,
  ): Promise<CallOutcome | 'session-lost'> {
    await this.ready();
    if (this.#state.kind !== 'connected') return { kind: 'unavailable' };
    const { connection } = this.#state;
    // Once money is on its way the answer matters more than the agent's patience.
    const signal = payment === undefined ? AbortSignal.any([deadline, call.signal]) : deadline;
    const { annotations } = this.#state.tools.get(call.toolName)?.listed ?? {};
    const paid = payment && { payload: payment, dialect: this.#askedIn.get(call) ?? 'specified' };
    try {
      const { outcome, asksIn } = await connection.use((client) =>
        sendCall(client, call, { signal, annotations, payment: paid ?? null }),
      );
      if (asksIn !== null) this.#askedIn.set(call, asksIn);
      return outcome;
    } catch (error) {
      if (signal.aborted || (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout))
        return { kind: 'timeout' };
      if (isNonsense(error)) return { kind: 'protocol-error' };
      this.#drop(connection, reasonOf(error));
      return isSessionLost(error) ? 'session-lost' : { kind: 'unavailable' };
    }
  }

  #refresh(connection: Connection): void {
    this.#refreshAt = Date.now() + toolsTtlMs;
    this.#readTools(connection).catch((error: unknown) => this.#drop(connection, reasonOf(error)));
  }

  async #connect(): Promise<void> {
    this.#state = { kind: 'connecting' };
    const { connectRetries, transport, downstreamTimeoutMs } = this.#config;
    for (let attempt = 1; ; attempt++) {
      try {
        const connection = await connectDownstream(this.url, this.#headers, transport, downstreamTimeoutMs);
        return await this.#welcome(connection);
      } catch (error) {
        if (attempt >= connectRetries || this.#closed) return this.#fail(reasonOf(error));
        await backoff(attempt);
      }
    }
  }

  async #welcome(connection: Connection): Promise<void> {
    try {
      this.name = connection.name;
      await this.#readTools(connection);
    } catch (error) {
      await connection.close();
      throw error;
    }
    connection.onClose(() => this.#drop(connection, 'the connection was closed'));
    if (this.#closed) await connection.close();
  }

  async #readTools(connection: Connection): Promise<void> {
    const { downstreamTimeoutMs } = this.#config;
    const { tools, leftOut } = await connection.use((client) => readTools(client, downstreamTimeoutMs));
    if (leftOut > 0)
      this.#log.warn({ serviceId: this.serviceId, leftOut }, 'tools that cannot be used are left out');
    const before = this.#state;
    // A connection that was given up meanwhile does not come back.
    if (before.kind === 'unavailable' || (before.kind === 'connected' && before.connection !== connection))
      return;
    const known = before.kind === 'connected' ? before.tools : new Map<string, KnownTool>();
    this.#refreshAt = Date.now() + toolsTtlMs;
    this.#state = {
      kind: 'connected',
      connection,
      tools: new Map([...tools].map(([name, tool]) => [name, knownTool(tool, known.get(name))])),
    };
  }

  /** Gives a connection up: calls in flight on it still end, the next one connects anew. */
  #drop(connection: Connection, error: string): void {
    if (this.#state.kind !== 'connected' || this.#state.connection !== connection) return;
    this.#state = { kind: 'unavailable', error, retryAt: 0 };
    background(this.#log, 'close a lost connection', connection.retire());
    if (!this.#closed) this.#log.warn({ serviceId: this.serviceId, error }, 'a service is unavailable');
  }

  #fail(error: string): void {
    this.#state = { kind: 'unavailable', error, retryAt: Date.now() + retryAfterMs };
    this.#log.warn({ serviceId: this.serviceId, url: this.url.href, error }, 'a service is unavailable');
  }
}

/** Compiling a schema costs; an unchanged tool keeps its check. */
const knownTool = ({ listed, inputSchema }: ReadTool, before: KnownTool | undefined): KnownTool =>
  before !== undefined && JSON.stringify(before.listed.inputSchema) === JSON.stringify(listed.inputSchema)
    ? { listed, check: before.check }
    : { listed, check: checkArguments(inputSchema) };

/** Full jitter, so that gateways that lost the same service do not come back at once. */
const backoff = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 100 * 2 ** attempt));
