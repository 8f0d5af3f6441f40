import { ProtocolError, SdkError, SdkErrorCode, type Tool } from '@modelcontextprotocol/client';
import { paymentMetaKey } from '@countersign/protocol/gateway/x402';
import { background } from '@countersign/service/background';
import type { Logger } from '@countersign/service/logger';
import { sayWhy } from '@countersign/service/lifecycle';
import type { DownstreamConfig, GatewayConfig } from '../config.ts';
import type { CallOutcome, ToolCall } from '../ports.ts';
import { type ArgumentCheck, checkArguments } from './arguments.ts';
import { type Connected, connectDownstream } from './connect.ts';
import { HttpTransportError } from './http-transport.ts';
import { rawToolResult, readToolResult } from './read-result.ts';

export type KnownTool = { readonly tool: Tool; readonly check: ArgumentCheck };

type State =
  | { readonly kind: 'connecting' }
  | {
      readonly kind: 'connected';
      readonly connection: Connected;
      readonly tools: ReadonlyMap<string, KnownTool>;
    }
  | { readonly kind: 'unavailable'; readonly error: string; readonly retryAt: number };

/** A service may list this many tools; more are not read. */
const maxTools = 512;
const toolsTtlMs = 60_000;
const retryAfterMs = 5000;

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
  #state: State = { kind: 'connecting' };
  #connecting: Promise<void> | null = null;
  #refreshAt = 0;
  #closed = false;

  constructor(downstream: DownstreamConfig, config: GatewayConfig, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.url = downstream.url;
    this.serviceId = downstream.serviceId;
  }

  get state(): State {
    return this.#state;
  }

  /** Connects, unless it is connected or has just failed to. Never rejects; the state tells what came of it. */
  ready(): Promise<void> {
    const state = this.#state;
    if (this.#closed || (state.kind === 'connected' && !this.#isStale())) return Promise.resolve();
    if (state.kind === 'unavailable' && Date.now() < state.retryAt) return Promise.resolve();
    this.#connecting ??= this.#work(state).finally(() => {
      this.#connecting = null;
    });
    // A stale list is refreshed behind the call's back: the old one still serves.
    return state.kind === 'connected' ? Promise.resolve() : this.#connecting;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#state.kind === 'connected') await this.#state.connection.client.close().catch(() => {});
  }

  /** Sends one call, once. Whatever goes wrong is an outcome. */
  async call(call: ToolCall, timeoutMs: number, payment?: object): Promise<CallOutcome> {
    await this.ready();
    if (this.#state.kind !== 'connected') return { kind: 'unavailable' };
    const { client } = this.#state.connection;
    const deadline = AbortSignal.timeout(timeoutMs);
    // Once money is on its way the answer matters more than the agent's patience.
    const signal = payment === undefined ? AbortSignal.any([deadline, call.signal]) : deadline;
    const meta = {
      traceparent: `00-${call.traceId}-${call.traceId.slice(0, 16)}-01`,
      ...(payment && { [paymentMetaKey]: payment }),
    };
    try {
      const params = { name: call.toolName, arguments: call.arguments, _meta: meta };
      const onprogress = (progress: { message?: string | undefined }): void =>
        call.onProgress(progress.message ?? 'the tool is working');
      const result = await client.request({ method: 'tools/call', params }, rawToolResult, {
        signal,
        // Ours is the deadline; the SDK's own timer would end a long settlement at 60 s.
        timeout: timeoutMs + 1000,
        ...(call.wantsProgress && { onprogress }),
      });
      return readToolResult(result);
    } catch (error) {
      return this.#outcomeOf(error, deadline);
    }
  }

  #outcomeOf(error: unknown, deadline: AbortSignal): CallOutcome {
    if (deadline.aborted || (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout))
      return { kind: 'timeout' };
    if (error instanceof ProtocolError) return { kind: 'protocol-error' };
    if (error instanceof HttpTransportError && error.status === 200) return { kind: 'protocol-error' };
    // The session or the connection is gone (by status, never by its text): the next call connects anew.
    this.#drop(sayWhy(error));
    return { kind: 'unavailable' };
  }

  #isStale(): boolean {
    return Date.now() > this.#refreshAt;
  }

  async #work(state: State): Promise<void> {
    if (state.kind === 'connected') {
      this.#refreshAt = Date.now() + toolsTtlMs;
      await this.#readTools(state.connection).catch((error: unknown) => this.#drop(sayWhy(error)));
      return;
    }
    this.#state = { kind: 'connecting' };
    const { connectRetries, transport, downstreamTimeoutMs } = this.#config;
    for (let attempt = 1; ; attempt++) {
      try {
        const headers = this.#config.downstreamHeaders[this.serviceId ?? ''] ?? {};
        const connection = await connectDownstream(this.url, headers, transport, downstreamTimeoutMs);
        this.name = connection.client.getServerVersion()?.name ?? null;
        await this.#readTools(connection);
        return;
      } catch (error) {
        if (attempt > connectRetries || this.#closed) return this.#drop(sayWhy(error));
        await backoff(attempt);
      }
    }
  }

  async #readTools(connection: Connected): Promise<void> {
    const tools = new Map<string, KnownTool>();
    const before = this.#state.kind === 'connected' ? this.#state.tools : new Map<string, KnownTool>();
    let cursor: string | undefined;
    do {
      const page = await connection.client.listTools(cursor === undefined ? {} : { cursor }, {
        timeout: this.#config.downstreamTimeoutMs,
      });
      for (const tool of page.tools) tools.set(tool.name, known(tool, before.get(tool.name)));
      cursor = page.nextCursor;
    } while (cursor !== undefined && tools.size < maxTools);
    this.#refreshAt = Date.now() + toolsTtlMs;
    this.#state = { kind: 'connected', connection, tools };
  }

  #drop(error: string): void {
    const state = this.#state;
    if (state.kind === 'connected')
      background(this.#log, 'close a lost connection', state.connection.client.close());
    const retryAt = state.kind === 'connected' ? 0 : Date.now() + retryAfterMs;
    this.#state = { kind: 'unavailable', error, retryAt };
    this.#log.warn({ service: this.serviceId, error }, 'a service is unavailable');
  }
}

/** Compiling a schema costs; an unchanged tool keeps its check. */
const known = (tool: Tool, before: KnownTool | undefined): KnownTool =>
  before !== undefined && JSON.stringify(before.tool.inputSchema) === JSON.stringify(tool.inputSchema)
    ? { tool, check: before.check }
    : { tool, check: checkArguments(tool.inputSchema) };

/** Full jitter, so that gateways that lost the same service do not come back at once. */
const backoff = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 100 * 2 ** attempt));
