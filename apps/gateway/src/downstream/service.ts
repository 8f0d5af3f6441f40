import type { ServiceFailure } from '@countersign/protocol/gateway/envelope';
import { background } from '@countersign/service/background';
import type { Logger } from '@countersign/service/logger';
import type { DownstreamConfig, GatewayConfig } from '../config.ts';
import type { Pins } from '../pinning/pins.ts';
import { serviceKey } from '../pinning/service-key.ts';
import { Caller } from './caller.ts';
import { backoff } from './connect.ts';
import { type Fault, faultOf } from './failure.ts';
import { type KnownTool, type KnownTools, type ToolKeeper, toolKeeper } from './known-tools.ts';
import { type Price, seenPrice } from './prices.ts';
import type { ServiceConnection, Way } from './service-connection.ts';
import { within } from '../within.ts';

type State =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly connection: ServiceConnection; readonly tools: KnownTools }
  /** Stays while it is tried again, so that whoever looks is told what is wrong. */
  | ({ readonly kind: 'unavailable'; readonly retryAt: number } & Fault);

const toolsTtlMs = 60_000;
/** A service that is away is tried again by itself: after this long, later after a quarter of the time it has been away. */
const retryAfterMs = 2000;
const maxRetryMs = 30_000;
const refreshPauseMs = 1000;
const probeTimeoutMs = 5000;
/** How long a call waits for a service whose last connection attempt failed, in milliseconds. */
const shortPatienceMs = 1000;

/**
 * One service behind the gateway: connects in the background, keeps its tool list, and calls its tools.
 * Nothing it does or fails to do touches another service.
 */
export class DownstreamService {
  readonly #config: GatewayConfig;
  readonly #log: Logger;
  readonly url: URL;
  readonly #pins: Pins | null;
  readonly #key: string;
  /** Tells which of the tools are as they were accepted. */
  readonly keeper: ToolKeeper;
  #serviceId: string | null = null;
  name: string | null = null;
  readonly #way: Way;
  readonly calls: Caller;
  #state: State = { kind: 'connecting' };
  #connecting: Promise<void> | null = null;
  #hasFailed = false;
  #awaySince: number | null = null;
  #retry: NodeJS.Timeout | null = null;
  #refreshAt = 0;
  #reading: Promise<void> = Promise.resolve();
  #news: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(downstream: DownstreamConfig, way: Way, config: GatewayConfig, log: Logger, pins: Pins | null) {
    this.#config = config;
    this.#log = log;
    this.#pins = pins;
    this.#key = serviceKey(downstream);
    this.keeper = toolKeeper(pins, this.#key, config.payment.tokens, log);
    this.calls = new Caller({
      open: () => this.open(),
      drop: (connection, why) => this.#drop(connection, why),
      failure: () => this.failure,
      probe: () => this.#probe(),
    });
    this.url = downstream.url;
    this.serviceId = downstream.serviceId;
    this.#way = way;
  }

  get state(): State {
    return this.#state;
  }

  get failure(): ServiceFailure | undefined {
    return this.#state.kind === 'unavailable' ? this.#state.failure : undefined;
  }

  /** Returns the address for agents and logs, without the query, which may contain a key. */
  get address(): string {
    return this.url.origin + this.url.pathname;
  }

  get transport(): Way['transport'] {
    return this.#state.kind === 'connected' ? this.#state.connection.transport : this.#way.transport;
  }

  /** Null until the service has told its name, where the configuration gives none. */
  get serviceId(): string | null {
    return this.#serviceId;
  }

  set serviceId(id: string | null) {
    this.#serviceId = id;
    if (id !== null && this.#pins !== null)
      background(this.#log, 'remember a service', this.#pins.nameService(this.#key, id));
  }

  /**
   * Returns the tool's price: what it asked when it was last called, else what its definition states; null if
   * unknown.
   */
  priceOf(toolName: string): Price | null {
    const announced = this.#state.kind === 'connected' ? this.#state.tools.get(toolName)?.announced : null;
    const last = this.calls.lastAsked(toolName);
    return last === undefined ? (announced ?? null) : seenPrice(last, this.#config.payment.tokens);
  }

  /** Connects, unless it is connected or has just failed to. Never rejects; the state tells what came of it. */
  ready(): Promise<void> {
    const state = this.#state;
    if (this.#closed) return Promise.resolve();
    if (state.kind === 'connected') {
      this.refreshIfOld();
      return Promise.resolve();
    }
    if (state.kind === 'unavailable' && Date.now() < state.retryAt) return Promise.resolve();
    return this.#connectOnce();
  }

  /** Reads the list of tools anew when it is old, behind the caller's back: the old one still serves. */
  refreshIfOld(): void {
    const state = this.#state;
    if (state.kind === 'connected' && Date.now() > this.#refreshAt) this.#refresh(state.connection);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry ?? undefined);
    if (this.#state.kind === 'connected') await this.#state.connection.close();
  }

  /** The open connection and its tools; waits for one that is being made, but not long for one that has failed. */
  async open(): Promise<Extract<State, { kind: 'connected' }> | null> {
    const state = this.#state;
    const patienceMs = this.#hasFailed ? shortPatienceMs : this.#config.downstreamTimeoutMs;
    if (state.kind === 'connected') void this.ready();
    else await within(this.ready(), patienceMs);
    return this.#state.kind === 'connected' ? this.#state : null;
  }

  async #probe(): Promise<void> {
    const state = this.#state;
    if (state.kind !== 'connected') throw new Error('not connected');
    const timeoutMs = Math.min(this.#config.downstreamTimeoutMs, probeTimeoutMs);
    await state.connection.probe(timeoutMs);
  }

  /** Refreshes one list at a time. INVARIANT: an answer that was overtaken never replaces a newer one. */
  #refresh(connection: ServiceConnection): void {
    this.#refreshAt = Date.now() + toolsTtlMs;
    this.#reading = this.#reading
      .then(() => this.#readTools(connection))
      .catch((error: unknown) => this.#drop(connection, faultOf(error)));
  }

  /** A service may say so as often as it likes: its list is read once a second at most. */
  #toolsChanged(connection: ServiceConnection): void {
    if (this.#news !== null) return;
    const waitMs = Math.max(0, this.#refreshAt - toolsTtlMs + refreshPauseMs - Date.now());
    this.#news = setTimeout(() => {
      this.#news = null;
      this.#refresh(connection);
    }, waitMs).unref();
  }

  #connectOnce(): Promise<void> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #connect(): Promise<void> {
    const { connectRetries } = this.#config;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#welcome(await this.#way.connect());
      } catch (error) {
        if (attempt >= connectRetries || this.#closed) return this.#fail(faultOf(error));
        await backoff(attempt);
      }
    }
  }

  async #welcome(connection: ServiceConnection): Promise<void> {
    try {
      this.name = connection.name;
      connection.onToolsChanged(() => this.#toolsChanged(connection));
      await this.#readTools(connection, 'new');
    } catch (error) {
      await connection.close();
      throw error;
    }
    connection.onClose(() => this.#drop(connection, closed));
    if (this.#closed) await connection.close();
  }

  async #readTools(connection: ServiceConnection, which: 'new' | 'open' = 'open'): Promise<void> {
    const { downstreamTimeoutMs } = this.#config;
    const { tools, leftOut, elsewhere } = await connection.readTools(downstreamTimeoutMs);
    if (leftOut > 0)
      this.#log.warn(
        { serviceId: this.serviceId, leftOut, elsewhere },
        'tools that cannot be used are left out',
      );
    const before = this.#state.kind === 'connected' ? this.#state.tools : new Map<string, KnownTool>();
    const known = await this.keeper.take([...tools.values()], before, this.#serviceId);
    // A connection that was given up meanwhile does not come back.
    const isOpen = this.#state.kind === 'connected' && this.#state.connection === connection;
    if (which === 'open' && !isOpen) return;
    this.#refreshAt = Date.now() + toolsTtlMs;
    this.#hasFailed = false;
    this.#awaySince = null;
    this.#state = { kind: 'connected', connection, tools: known };
  }

  /** Gives a connection up: calls in flight on it still end, the next one connects anew. */
  #drop(connection: ServiceConnection, fault: Fault): void {
    if (this.#state.kind !== 'connected' || this.#state.connection !== connection) return;
    this.#state = { kind: 'unavailable', retryAt: 0, ...fault };
    background(this.#log, 'close a lost connection', connection.retire());
    const { error } = fault;
    if (!this.#closed) this.#log.warn({ serviceId: this.serviceId, error }, 'a service is unavailable');
    this.#tryAgain();
  }

  #fail(fault: Fault): void {
    this.#hasFailed = true;
    this.#state = { kind: 'unavailable', retryAt: Date.now() + retryAfterMs, ...fault };
    const { error } = fault;
    this.#log.warn({ serviceId: this.serviceId, url: this.address, error }, 'a service is unavailable');
    this.#tryAgain();
  }

  /**
   * Nobody need call a service or look at it for it to come back. A timer may ring a millisecond early by the clock of
   * `retryAt`, and no other would follow it: so it does not ask that clock.
   */
  #tryAgain(): void {
    clearTimeout(this.#retry ?? undefined);
    const now = Date.now();
    this.#awaySince ??= now;
    const waitMs = Math.min(maxRetryMs, Math.max(retryAfterMs, (now - this.#awaySince) / 4));
    if (this.#closed) return;
    this.#retry = setTimeout(() => {
      if (this.#state.kind === 'unavailable') void this.#connectOnce();
    }, waitMs).unref();
  }
}

const closed: Fault = { error: 'the connection was closed', failure: { reason: 'closed' } };
