import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import { allowsUrl, type UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { Alarm, Browser } from '../browser/browser.ts';
import type { BrowserHost, StartedBrowser } from '../jail/host.ts';
import { addressOf } from '../review/address.ts';
import { type About, readAbout } from './about.ts';
import type { Clock } from './clock.ts';
import type { EventLog } from './events.ts';
import { type Recorder, recorderFor } from './records.ts';
import { SessionMasker } from './session-masker.ts';
import { Session } from './session.ts';

/** Takes a browser over its debugging pipe. It has opened nothing. */
export type OpenBrowser = (options: {
  readonly started: StartedBrowser;
  readonly allowedUrls: readonly UrlPattern[];
  readonly onAlarm: (alarm: Alarm) => void;
  readonly findSecrets: (texts: readonly string[]) => readonly boolean[];
  readonly holdSecret: (texts: readonly string[]) => boolean;
}) => Promise<Browser>;

export type SessionsParts = {
  readonly audit: Pick<AuditLog, 'append'>;
  readonly host: BrowserHost;
  readonly openBrowser: OpenBrowser;
  readonly clock: Clock;
  readonly events: EventLog;
  readonly warn: (what: string, why: unknown) => void;
};

type Taking = Omit<Parameters<OpenBrowser>[0], 'started'>;
type Taken = { readonly started: StartedBrowser; readonly browser: Browser };
type Opened = Result<{ readonly session: Session; readonly auditId: string }, EnclaveRefusal>;

/** Most sessions at a time: each has a browser. One tenant leaves some to the others. */
const mostSessions = 16;
const mostOfTenant = 12;
/** So long a session is known when it is over. */
const rememberedMs = 15 * 60_000;

const unavailable = fail({ code: 'SANDBOX_UNAVAILABLE' } as const);
const tooMany = fail({ code: 'SANDBOX_UNAVAILABLE', field: 'too_many' } as const);

/** All sessions that are, and those that were a while ago. */
export class Sessions {
  readonly #parts: SessionsParts;
  readonly #known = new Map<string, Session>();
  /** Tenants by session. */
  readonly #opening = new Map<string, string>();

  constructor(parts: SessionsParts) {
    this.#parts = parts;
  }

  /** Null for a session of another tenant, too. */
  find(tenantId: string, sessionId: string): Session | null {
    this.#forget();
    const session = this.#known.get(sessionId);
    return session?.about.tenantId === tenantId ? session : null;
  }

  async open(request: Parameters<typeof readAbout>[0]): Promise<Opened> {
    this.#forget();
    const about = readAbout(request);
    if (about === null) return fail({ code: 'INVALID_COMMAND', field: 'allowedUrls' });
    if (about.startUrl !== undefined && !allowsUrl(about.patterns, about.startUrl))
      return fail({ code: 'INVALID_COMMAND', field: 'startUrl' });
    const { sessionId } = about;
    if (this.#known.has(sessionId) || this.#opening.has(sessionId))
      return fail({ code: 'INVALID_COMMAND', field: 'sessionId' });
    if (this.#isFull(about.tenantId)) return tooMany;
    this.#opening.set(sessionId, about.tenantId);
    try {
      return await this.#start(about);
    } finally {
      this.#opening.delete(sessionId);
    }
  }

  #isFull(tenantId: string): boolean {
    const live = [...this.#known.values()].filter((session) => !session.isOver);
    const tenants = [...live.map(({ about }) => about.tenantId), ...this.#opening.values()];
    const own = tenants.filter((one) => one === tenantId).length;
    return tenants.length >= mostSessions || own >= mostOfTenant;
  }

  /** Ends all, because the enclave ends. */
  async stop(): Promise<void> {
    await Promise.all([...this.#known.values()].map((session) => session.end('enclave_gone', 'enclave')));
  }

  async #start(about: About): Promise<Opened> {
    const started = await this.#startBrowser(about);
    return started === null ? unavailable : this.#openIn(about, started);
  }

  async #startBrowser({ sessionId, allowedUrls }: About): Promise<StartedBrowser | null> {
    const started = await this.#parts.host.start({ sessionId, allowedUrls });
    if (started.ok) return started.value;
    this.#parts.warn('no browser could be started', started.error);
    return null;
  }

  /** The browser has opened nothing when the record is on disk. */
  async #openIn(about: About, first: StartedBrowser): Promise<Opened> {
    const { audit, clock, events } = this.#parts;
    const record = recorderFor(audit, about);
    const masker = new SessionMasker();
    const hearing: { session: Session | null } = { session: null };
    const taking = {
      allowedUrls: about.patterns,
      onAlarm: (alarm: Alarm) => hearing.session?.alarm(alarm),
      findSecrets: (texts: readonly string[]) => masker.nodes(texts).map((text, i) => text !== texts[i]),
      holdSecret: masker.holdSecret,
    };
    const [initiated, taken] = await Promise.all([
      recordInitiated(record, about, first),
      this.#take(about, first, taking),
    ]);
    if (!initiated.ok) {
      await taken?.started.stop();
      return initiated;
    }
    if (taken === null) {
      await record({ eventType: 'session_closed', actor: about.actor, detail: { reason: 'crashed' } });
      return unavailable;
    }
    const { browser, started } = taken;
    const session = new Session({
      about,
      browser,
      started,
      record,
      masker,
      clock,
      hear: (event) => events.add(about.sessionId, event),
    });
    hearing.session = session;
    this.#known.set(about.sessionId, session);
    if (about.startUrl !== undefined)
      await session.turns.take(() => openStartUrl(browser, session, about.startUrl ?? ''));
    session.tellState();
    return ok({ session, auditId: initiated.value });
  }

  /** A browser that was kept ready may have died meanwhile: nothing was done in it, so another takes its place. */
  async #take(about: About, first: StartedBrowser, taking: Taking): Promise<Taken | null> {
    const taken = await this.#tryOne(first, taking);
    if (taken !== null) return taken;
    const second = await this.#startBrowser(about);
    return second === null ? null : this.#tryOne(second, taking);
  }

  async #tryOne(started: StartedBrowser, taking: Taking): Promise<Taken | null> {
    try {
      return { started, browser: await this.#parts.openBrowser({ started, ...taking }) };
    } catch (error) {
      this.#parts.warn('a browser did not come to life', error);
      await started.stop();
      return null;
    }
  }

  #forget(): void {
    const before = this.#parts.clock.now() - rememberedMs;
    for (const [id, { endedAt }] of this.#known)
      if (endedAt !== null && endedAt < before) this.#known.delete(id);
  }
}

const recordInitiated = (record: Recorder, about: About, { isolation }: StartedBrowser) =>
  record({
    eventType: 'session_initiated',
    actor: about.actor,
    detail: {
      task: about.task,
      allowedUrls: about.allowedUrls,
      approval: about.approval,
      isolation,
      credentials: about.credentials,
      expiresAt: new Date(about.expiresAt).toISOString(),
      ...(about.startUrl !== undefined && { startUrl: addressOf(about.startUrl).url }),
    },
  });

/** Within scope, as was checked. A page that cannot be had leaves the session without one. */
async function openStartUrl(browser: Browser, session: Session, value: string): Promise<void> {
  const operation = { operation_type: 'navigate', value } as const;
  const opening = async () => {
    await browser.observe(operation);
    await browser.perform(operation, [value]);
  };
  await session.ending.before(opening()).catch(() => null);
}
