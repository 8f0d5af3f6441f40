import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import type { SessionState } from '@countersign/protocol/enclave/session-commands';
import { ok, type Result } from '@countersign/protocol/result';
import type { CloseReason, SessionEvent } from '@countersign/protocol/vault/sandbox';
import type { Alarm, Browser } from '../browser/browser.ts';
import type { StartedBrowser } from '../../channel/browser-host.ts';
import { mask } from '../masking/masker.ts';
import type { About } from './about.ts';
import type { Clock } from './clock.ts';
import { Ending } from './ending.ts';
import { isOver, type Life, lifeAfter, type LifeEvent } from './life.ts';
import type { PendingOperation } from './operation/pending.ts';
import { SentReview } from './operation/sent.ts';
import type { Recorder, Who } from './records.ts';
import { RefusedRequests } from './refused-requests.ts';
import type { SessionWorker } from './worker/session-worker.ts';
import { Turns } from './turns.ts';

export type SessionParts = {
  readonly about: About;
  readonly browser: Browser;
  readonly started: StartedBrowser;
  readonly record: Recorder;
  readonly worker: SessionWorker;
  readonly clock: Clock;
  readonly hear: (event: SessionEvent) => void;
};

type Closed = Result<string, EnclaveRefusal>;

/** Characters of an address, as records and answers have room for. */
const maxUrl = 2048;

/** One browser and everything that belongs to it, until all of it is wiped. */
export class Session {
  readonly about: About;
  readonly browser: Browser;
  readonly record: Recorder;
  readonly worker: SessionWorker;
  readonly clock: Clock;
  readonly turns = new Turns();
  readonly ending = new Ending();
  /** Operations that wait for a person, by their ids. */
  readonly pending = new Map<string, PendingOperation>();
  readonly sent: SentReview;
  /** Counts the operations by which the agent changed its pages without a person's approval. */
  hands = 0;
  /** Counts those that a person approved. */
  agreedHands = 0;
  /** Ids of the credentials whose secrets a page or a site has received. */
  readonly spent = new Set<string>();
  /** Credentials that it was told to look for, as they were then. */
  readonly masked = new Set<string>();
  /** How much news the open session has received, and how many claims it masks. */
  readonly told = { count: 0, characters: 0, claims: 0 };
  readonly #endings: (() => Promise<Result<unknown, EnclaveRefusal>>)[] = [];
  readonly #started: StartedBrowser;
  readonly #hear: SessionParts['hear'];
  readonly #refused: RefusedRequests;
  readonly #cancelExpiry: () => void;
  #life: Life = { status: 'active', pausedBy: null };
  #closedReason: CloseReason | null = null;
  #closed: Promise<Closed> | null = null;
  #endedAt: number | null = null;
  #lastUrl: string | null = null;
  #masking: { readonly url: string; readonly told: number; readonly masked: Promise<string | null> } | null =
    null;
  #told = '';

  constructor(parts: SessionParts) {
    this.about = parts.about;
    this.browser = parts.browser;
    this.record = parts.record;
    this.worker = parts.worker;
    this.clock = parts.clock;
    this.#started = parts.started;
    this.#hear = parts.hear;
    this.#refused = new RefusedRequests(parts.record, (text) => this.mask(text));
    this.sent = new SentReview(parts.about, parts.worker, this.#refused, () =>
      [...this.pending.values()].reduce((count, { held }) => count + held.length, 0),
    );
    const lifetime = parts.about.expiresAt - parts.clock.now();
    this.#cancelExpiry = parts.clock.after(Math.max(0, lifetime), () => void this.end('expired'));
    parts.started.onRefused(({ host, port }) => {
      if (!this.isOver) this.#refused.note('scope.connection', `${host}:${port}`);
    });
    void this.#endWithBrowser();
  }

  get isActive(): boolean {
    return this.#life.status === 'active';
  }

  get isOver(): boolean {
    return isOver(this.#life.status);
  }

  /** Unix milliseconds; null while it lives. */
  get endedAt(): number | null {
    return this.#endedAt;
  }

  async state(): Promise<SessionState> {
    const currentUrl = await this.#currentUrl();
    const { status, pausedBy } = this.#life;
    return {
      status,
      currentUrl,
      isolation: this.#started.isolation,
      pending: [...this.pending.keys()],
      ...(pausedBy !== null && { pausedBy }),
      ...(this.#closedReason !== null && { closedReason: this.#closedReason }),
    };
  }

  /** Or why it did not happen. Not recorded: nothing is done by it, and operations tell when they were done. */
  change(event: LifeEvent & { kind: 'pause' | 'resume' }): Result<Life, EnclaveRefusal> {
    const changed = this.#become(event);
    void this.tellState();
    return changed;
  }

  /** Handles an alarm that the browser raised by itself. */
  alarm(alarm: Alarm): void {
    if (this.isOver) return;
    if (alarm.kind === 'scope') this.#refused.note('scope.request', alarm.url, { resource: alarm.resource });
    else if (alarm.kind === 'own-site')
      this.#refused.note('decoy.own-site', alarm.url, { method: alarm.method.slice(0, 32) });
    else void this.#endForDecoy(alarm.url, alarm.method);
  }

  /** A request that waited for a person cannot be sent any more. */
  lose(id: string): void {
    if (this.sent.lose(id)) return;
    for (const [operationId, { held }] of this.pending)
      if (held.includes(id)) void this.rejectWaiting(operationId, 'request.gone');
  }

  /** Ends the wait of an operation whose requests cannot be sent any more. */
  async rejectWaiting(operation_id: string, rule: 'request.gone' | 'request.expired'): Promise<void> {
    const waiting = this.pending.get(operation_id);
    if (this.isOver || waiting === undefined) return;
    this.pending.delete(operation_id);
    this.browser.drop(waiting.held);
    const recorded = await this.record({
      eventType: 'policy_rejected',
      who: 'browser',
      detail: { operationId: operation_id, verdict: 'deny', rules: [{ rule, verdict: 'deny' }] },
    });
    if (recorded.ok) this.#tellRejected(operation_id, recorded.value);
  }

  /**
   * Ends everything: what is at work, what waits, the browser, the secrets. Gives the record of it; asked again, the same,
   * and where that could not be written, it is tried again.
   */
  async end(reason: CloseReason, who: Who | 'enclave' = 'enclave'): Promise<Closed> {
    this.#closed ??= this.#end(reason, who);
    const closed = await this.#closed;
    if (closed.ok) return closed;
    this.#closed = this.#recordEnd(who);
    return this.#closed;
  }

  /** Registers a record that must be written before the record of the end. INVARIANT: while it cannot be written, the end is not recorded. It may run more than once. */
  beforeEnd(record: () => Promise<Result<unknown, EnclaveRefusal>>): void {
    this.#endings.push(record);
  }

  tell(event: SessionEvent): void {
    this.#hear(event);
  }

  /** Tells the state to whoever watches, if it has changed since it was last told. */
  async tellState(): Promise<void> {
    const { status, currentUrl, pausedBy, closedReason } = await this.state();
    const said = JSON.stringify([status, currentUrl, pausedBy]);
    if (said === this.#told) return;
    this.#told = said;
    this.tell({
      type: 'session.state',
      at: this.at(),
      status,
      current_url: currentUrl,
      ...(pausedBy !== undefined && { paused_by: pausedBy }),
      ...(closedReason !== undefined && { closed_reason: closedReason }),
    });
  }

  /** Now, as events and answers write it. */
  at(): string {
    return new Date(this.clock.now()).toISOString();
  }

  #become(event: LifeEvent): ReturnType<typeof lifeAfter> {
    const after = lifeAfter(this.#life, event);
    if (after.ok) this.#life = after.value;
    return after;
  }

  /** Masks the session's secrets in a text for a record or an answer; masks all of it if that takes too long. */
  mask(text: string): Promise<string> {
    return this.worker.mask(text).catch(() => mask);
  }

  /** Gives the page's URL without query, short enough for a record; only the scheme where it is no web page. */
  async pageAddress(): Promise<string | null> {
    const url = await this.#currentUrl();
    return url === null ? null : (/^(?:https?:[^?#]*|[a-z][a-z0-9+.-]*:)/i.exec(url)?.[0] ?? '');
  }

  async #currentUrl(): Promise<string | null> {
    const url = this.isOver ? null : this.browser.currentUrl();
    // What cannot be masked any more is not told: the last one is.
    if (!this.isOver) this.#lastUrl = url === null ? null : await this.#masked(url);
    return this.#lastUrl;
  }

  /** Several ask about one address at a time: the answer, whoever watches, and the record. */
  #masked(url: string): Promise<string | null> {
    const { told } = this.worker;
    if (this.#masking?.url !== url || this.#masking.told !== told) {
      const masked = this.browser
        .cookies()
        .then((cookies) => this.worker.mask(url.slice(0, maxUrl), url, cookies))
        .catch(() => {
          this.#masking = null;
          return this.#lastUrl;
        });
      this.#masking = { url, told, masked };
    }
    return this.#masking.masked;
  }

  async #end(reason: CloseReason, who: Who | 'enclave'): Promise<Closed> {
    // Asked anew, it comes after all that is being masked for records.
    this.#masking = null;
    const lastUrl = this.#currentUrl();
    this.#become({ kind: 'end', reason });
    this.#closedReason = reason;
    this.#endedAt = this.clock.now();
    this.#cancelExpiry();
    this.ending.come();
    const stopped = Promise.allSettled([this.browser.close(), this.#started.stop()]);
    await lastUrl;
    // Whoever watches hears of it before the end; what fails is tried again with the record of that.
    await this.#recordRest();
    void this.tellState();
    // What was at work tells its outcome first.
    await this.turns.idle();
    this.worker.close();
    // When the enclave ends, its launcher ends the browsers.
    const waitsFor = reason === 'enclave_gone' ? null : stopped;
    const [closed] = await Promise.all([this.#recordEnd(who), waitsFor]);
    return closed;
  }

  /** Writes the records still outstanding. Returns the first failure, if any. */
  async #recordRest(): Promise<Result<unknown, EnclaveRefusal>> {
    const recorded = await Promise.all(this.#endings.map((record) => record()));
    return recorded.find((one) => !one.ok) ?? ok(null);
  }

  /** Operations that wait for a person are rejected by it. */
  async #recordEnd(who: Who | 'enclave'): Promise<Closed> {
    const rest = await this.#recordRest();
    if (!rest.ok) return rest;
    const closed = await this.record({
      eventType: 'session_closed',
      who,
      detail: {
        reason: this.#closedReason,
        refusedRequests: this.#refused.count,
        rejected: [...this.pending.keys()],
      },
    });
    if (!closed.ok) return closed;
    for (const operationId of this.pending.keys()) this.#tellRejected(operationId, closed.value);
    this.pending.clear();
    return closed;
  }

  #tellRejected(operation_id: string, audit_id: string): void {
    this.tell({
      type: 'operation.finished',
      at: this.at(),
      operation_id,
      status: 'rejected',
      audit_id,
      duration_ms: 0,
    });
  }

  async #endForDecoy(url: string, method: string): Promise<void> {
    const masked = this.mask(url.slice(0, maxUrl));
    const ended = this.end('alarm');
    await this.record({
      eventType: 'policy_rejected',
      who: 'browser',
      detail: {
        rules: [{ rule: 'decoy.alarm', verdict: 'deny' }],
        verdict: 'deny',
        url: (await masked).slice(0, maxUrl),
        method: method.slice(0, 32),
      },
    });
    await ended;
  }

  /** Ends the session when its browser ends. If the jail knows why it died, that reason counts. */
  async #endWithBrowser(): Promise<void> {
    const why = await Promise.race([this.#started.ended, this.browser.ended.then(() => null)]);
    if (this.isOver) return;
    if (why === null) void this.#started.stop();
    const known = why ?? (await this.#started.ended);
    await this.end(known === 'closed' ? 'crashed' : known);
  }
}
