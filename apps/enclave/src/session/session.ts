import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import type { SessionState } from '@countersign/protocol/enclave/session-commands';
import type { Result } from '@countersign/protocol/result';
import type { CloseReason, SessionEvent, SessionStatus } from '@countersign/protocol/vault/sandbox';
import type { Alarm, Browser } from '../browser/browser.ts';
import type { StartedBrowser } from '../jail/host.ts';
import type { About } from './about.ts';
import type { Clock } from './clock.ts';
import { Ending } from './ending.ts';
import { isOver, type LifeEvent, statusAfter } from './life.ts';
import type { PendingOperation } from './operation/attempt.ts';
import type { Recorder } from './records.ts';
import { RefusedRequests } from './refused-requests.ts';
import type { SessionMasker } from './session-masker.ts';
import { Turns } from './turns.ts';

export type SessionParts = {
  readonly about: About;
  readonly browser: Browser;
  readonly started: StartedBrowser;
  readonly record: Recorder;
  readonly masker: SessionMasker;
  readonly clock: Clock;
  readonly hear: (event: SessionEvent) => void;
};

type Closed = Result<string, EnclaveRefusal>;

/** One browser and all that belongs to it, until everything of it is wiped. */
export class Session {
  readonly about: About;
  readonly browser: Browser;
  readonly record: Recorder;
  readonly masker: SessionMasker;
  readonly clock: Clock;
  readonly turns = new Turns();
  readonly ending = new Ending();
  /** Operations that wait for a person, by their ids. */
  readonly pending = new Map<string, PendingOperation>();
  readonly #started: StartedBrowser;
  readonly #hear: SessionParts['hear'];
  readonly #refused: RefusedRequests;
  readonly #cancelExpiry: () => void;
  #status: SessionStatus = 'active';
  #closedReason: CloseReason | null = null;
  #closed: Promise<Closed> | null = null;
  #endedAt: number | null = null;
  #lastUrl: string | null = null;
  #told = '';

  constructor(parts: SessionParts) {
    this.about = parts.about;
    this.browser = parts.browser;
    this.record = parts.record;
    this.masker = parts.masker;
    this.clock = parts.clock;
    this.#started = parts.started;
    this.#hear = parts.hear;
    this.#refused = new RefusedRequests(parts.record, parts.masker.text);
    const lifetime = parts.about.expiresAt - parts.clock.now();
    this.#cancelExpiry = parts.clock.after(Math.max(0, lifetime), () => void this.end('expired'));
    parts.started.onRefused(({ host, port }) => {
      if (!this.isOver) this.#refused.note('scope.connection', `${host}:${port}`);
    });
    void this.#endWithBrowser();
  }

  get isActive(): boolean {
    return this.#status === 'active';
  }

  get isOver(): boolean {
    return isOver(this.#status);
  }

  /** Unix milliseconds; null while it lives. */
  get endedAt(): number | null {
    return this.#endedAt;
  }

  state(): SessionState {
    return {
      status: this.#status,
      currentUrl: this.#currentUrl(),
      isolation: this.#started.isolation,
      pending: [...this.pending.keys()],
      ...(this.#closedReason !== null && { closedReason: this.#closedReason }),
    };
  }

  /** Whether it could happen. Not recorded: nothing is done by it, and operations tell when they were done. */
  change(event: 'pause' | 'resume'): boolean {
    const could = this.#become(event);
    this.tellState();
    return could;
  }

  /** What the browser noticed by itself. */
  alarm(alarm: Alarm): void {
    if (this.isOver) return;
    if (alarm.kind === 'scope') this.#refused.note('scope.request', alarm.url, { resource: alarm.resource });
    else void this.#endForDecoy(alarm.url, alarm.method);
  }

  /**
   * Ends everything: what is at work, what waits, the browser, the secrets. Gives the record of it; asked again, the same,
   * and where that could not be written, it is tried again.
   */
  async end(reason: CloseReason, actor = this.about.actor): Promise<Closed> {
    this.#closed ??= this.#end(reason, actor);
    const closed = await this.#closed;
    if (closed.ok) return closed;
    this.#closed = this.#recordEnd(actor);
    return this.#closed;
  }

  tell(event: SessionEvent): void {
    this.#hear(event);
  }

  /** Tells the state where it is another than was told last. */
  tellState(): void {
    const { status, currentUrl, closedReason } = this.state();
    const said = JSON.stringify([status, currentUrl]);
    if (said === this.#told) return;
    this.#told = said;
    const reason = closedReason === undefined ? {} : { closed_reason: closedReason };
    this.tell({ type: 'session.state', at: this.at(), status, current_url: currentUrl, ...reason });
  }

  /** Now, as events and answers write it. */
  at(): string {
    return new Date(this.clock.now()).toISOString();
  }

  #become(event: LifeEvent): boolean {
    const status = statusAfter(this.#status, event);
    if (status === null) return false;
    this.#status = status;
    return true;
  }

  #currentUrl(): string | null {
    if (!this.isOver) {
      const url = this.browser.currentUrl();
      this.#lastUrl = url === null ? null : this.masker.text(url);
    }
    return this.#lastUrl;
  }

  async #end(reason: CloseReason, actor: string): Promise<Closed> {
    this.#currentUrl();
    this.#become(reason);
    this.#closedReason = reason;
    this.#endedAt = this.clock.now();
    this.#cancelExpiry();
    this.ending.come();
    const stopped = Promise.allSettled([this.browser.close(), this.#started.stop()]);
    this.tellState();
    // What was at work tells its outcome first, and its answer is still masked.
    await this.turns.idle();
    this.masker.wipe();
    // When the enclave ends, its launcher ends the browsers.
    const waitsFor = reason === 'enclave_gone' ? null : stopped;
    const [closed] = await Promise.all([this.#recordEnd(actor), waitsFor]);
    return closed;
  }

  /** Operations that wait for a person are rejected by it. */
  async #recordEnd(actor: string): Promise<Closed> {
    const closed = await this.record({
      eventType: 'session_closed',
      actor,
      detail: {
        reason: this.#closedReason,
        refusedRequests: this.#refused.count,
        rejected: [...this.pending.keys()],
      },
    });
    if (!closed.ok) return closed;
    for (const operation_id of this.pending.keys())
      this.tell({
        type: 'operation.finished',
        at: this.at(),
        operation_id,
        status: 'rejected',
        audit_id: closed.value,
        duration_ms: 0,
      });
    this.pending.clear();
    return closed;
  }

  async #endForDecoy(url: string, method: string): Promise<void> {
    const recorded = this.record({
      eventType: 'policy_rejected',
      actor: 'browser',
      detail: {
        rules: [{ rule: 'decoy.alarm', verdict: 'deny' }],
        verdict: 'deny',
        url: this.masker.text(url.slice(0, 2048)).slice(0, 2048),
        method: method.slice(0, 32),
      },
    });
    await Promise.all([recorded, this.end('alarm')]);
  }

  /** Without its browser it is over. Why it died the jail knows best. */
  async #endWithBrowser(): Promise<void> {
    const why = await Promise.race([this.#started.ended, this.browser.ended.then(() => null)]);
    if (this.isOver) return;
    if (why === null) void this.#started.stop();
    const known = why ?? (await this.#started.ended);
    await this.end(known === 'closed' ? 'crashed' : known);
  }
}
