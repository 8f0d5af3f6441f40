import { randomBytes } from 'node:crypto';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import { allowsUrl, type UrlPattern } from '@countersign/protocol/vault/url-scope';
import { addressOf } from '@countersign/review/address';
import { actsWhenOpened } from '@countersign/review/request/kinds';
import type { Alarm, Browser } from '../browser/browser.ts';
import type { CopyPage } from '../browser/mirror/mirror.ts';
import type { Paint } from '../browser/png.ts';
import type { FindBoxes } from '../browser/secret-boxes.ts';
import type { JudgeSent, Sent } from '../browser/sent.ts';
import type { Roots } from '../credential/envelope.ts';
import type { BrowserHost, StartedBrowser } from '../../channel/browser-host.ts';
import { type About, type MaskWith, type OpenRequest, readAbout } from './about.ts';
import type { Clock } from './clock.ts';
import type { EventLog } from './events.ts';
import { ExpectedSessions } from './expected.ts';
import { maskTold, nameOf, type Told } from './mask-told.ts';
import { maskWith } from './mask-with.ts';
import { type Recorder, recorderFor, whoOf } from './records.ts';
import { Session } from './session.ts';
import { writtenIn } from './operation/written.ts';
import { type Join, TenantWords } from './tenant-words.ts';
import { hasLogIn } from './withheld/resolve.ts';
import { SessionWorker, type StartThread } from './worker/session-worker.ts';
import { boxesWith, copyWith, paintWith, showsWith } from './worker/copy-page.ts';

/** Takes a browser over its debugging pipe. It has opened nothing. */
export type OpenBrowser = (options: {
  readonly started: StartedBrowser;
  readonly allowedUrls: readonly UrlPattern[];
  readonly onAlarm: (alarm: Alarm) => void;
  readonly copyPage: CopyPage;
  /** Masks each of these texts of a page at `url`. */
  readonly mask: (texts: readonly string[], url: string) => Promise<readonly string[]>;
  readonly findBoxes: FindBoxes;
  readonly paint: Paint;
  readonly hasSecrets: () => boolean;
  /** Whether copies are made with what the cookies say. */
  readonly tellsCookies: boolean;
  /** Has the decoy masked from now on, like the value that it stands for. */
  readonly onDecoy: (decoy: Uint8Array) => void;
  readonly judgeSent: JudgeSent;
  readonly onGone: (id: string) => void;
}) => Promise<Browser>;

export type SessionsParts = {
  readonly audit: Pick<AuditLog, 'append'>;
  readonly roots: Roots;
  readonly host: BrowserHost;
  readonly openBrowser: OpenBrowser;
  readonly startThread: StartThread;
  readonly clock: Clock;
  readonly events: EventLog;
  readonly warn: (what: string, why: unknown) => void;
};

type Taking = Omit<Parameters<OpenBrowser>[0], 'started'>;
type Taken = { readonly started: StartedBrowser; readonly browser: Browser };
type Opened = Result<{ readonly session: Session; readonly auditId: string }, EnclaveRefusal>;

/** Most sessions at a time: each has a browser. One tenant leaves some to the others, and one of its callers too. */
const maxSessions = 16;
const maxOfTenant = 12;
const maxOfCaller = 10;
/** So long a session is known when it is over. */
const rememberedMs = 15 * 60_000;

const unavailable = fail({ code: 'SANDBOX_UNAVAILABLE' } as const);
const tooMany = fail({ code: 'SANDBOX_UNAVAILABLE', field: 'too_many' } as const);

/** All sessions that are, and those that were a while ago. */
export class Sessions {
  readonly #parts: SessionsParts;
  readonly #known = new Map<string, Session>();
  readonly #opening = new Map<string, About>();
  readonly #expected: ExpectedSessions;
  readonly #words: TenantWords;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#words = new TenantWords(parts.clock.elapsed);
    this.#expected = new ExpectedSessions(parts.clock.elapsed);
  }

  /** Null for a session of another tenant, too. */
  find(tenantId: string, sessionId: string): Session | null {
    this.#forget();
    const session = this.#known.get(sessionId);
    return session?.about.tenantId === tenantId ? session : null;
  }

  expect(tenantId: string, sessionId: string): void {
    this.#expected.expect(tenantId, sessionId);
  }

  /** Answers once every session of the tenant that masks it looks for it. */
  async mask(tenantId: string, told: Told): Promise<Result<null, EnclaveRefusal>> {
    if (told.credential.binding.tenantId !== tenantId)
      return fail({ code: 'INVALID_COMMAND', field: 'credential' });
    this.#expected.tell(tenantId, told);
    const open = [...this.#known.values()].filter(({ about }) => about.tenantId === tenantId);
    const masked = await Promise.all(open.map((session) => maskTold(session, this.#parts.roots, told)));
    return masked.find((one) => !one.ok) ?? ok(null);
  }

  async open({ isExpected, ...request }: OpenRequest): Promise<Opened> {
    const { tenantId, sessionId } = request;
    if (isExpected === true && !this.#expected.isExpected(tenantId, sessionId)) return unavailable;
    try {
      return await this.#open(request, isExpected === true);
    } finally {
      this.#expected.forget(sessionId);
    }
  }

  async #open(
    { maskWith: masked, ...request }: Omit<OpenRequest, 'isExpected'>,
    wasExpected: boolean,
  ): Promise<Opened> {
    this.#forget();
    const about = readAbout(request);
    if (about === null) return fail({ code: 'INVALID_COMMAND', field: 'allowedUrls' });
    const wrong = wrongStart(about);
    if (wrong !== null) return fail({ code: 'INVALID_COMMAND', field: wrong });
    if (masked.some(({ binding }) => binding.tenantId !== about.tenantId))
      return fail({ code: 'INVALID_COMMAND', field: 'maskWith' });
    const { sessionId } = about;
    if (this.#known.has(sessionId) || this.#opening.has(sessionId))
      return fail({ code: 'INVALID_COMMAND', field: 'sessionId' });
    if (this.#isFull(about)) return tooMany;
    this.#opening.set(sessionId, about);
    try {
      return await this.#start(about, masked, wasExpected);
    } finally {
      this.#opening.delete(sessionId);
    }
  }

  #isFull({ tenantId, actor }: About): boolean {
    const live = [...this.#known.values()].filter((session) => !session.isOver).map(({ about }) => about);
    const all = [...live, ...this.#opening.values()];
    const ofTenant = all.filter((one) => one.tenantId === tenantId);
    const ofCaller = ofTenant.filter((one) => one.actor === actor);
    return all.length >= maxSessions || ofTenant.length >= maxOfTenant || ofCaller.length >= maxOfCaller;
  }

  /** Ends all, because the enclave ends. */
  async stop(): Promise<void> {
    await Promise.all([...this.#known.values()].map((session) => session.end('enclave_gone')));
  }

  async #start(about: About, masked: MaskWith, wasExpected: boolean): Promise<Opened> {
    // One that was kept ready may have died on its way here.
    const started = (await this.#startBrowser(about)) ?? (await this.#startBrowser(about));
    return started === null ? unavailable : this.#openIn(about, masked, started, wasExpected);
  }

  async #startBrowser({ sessionId, allowedUrls }: About): Promise<StartedBrowser | null> {
    const started = await this.#parts.host.start({ sessionId, allowedUrls });
    if (started.ok) return started.value;
    this.#parts.warn('no browser could be started', started.error);
    return null;
  }

  /** The browser has opened nothing when the record is on disk. */
  async #openIn(
    about: About,
    masked: MaskWith,
    first: StartedBrowser,
    wasExpected: boolean,
  ): Promise<Opened> {
    const { audit, clock, events, roots, startThread } = this.#parts;
    const record = recorderFor(audit, about);
    const join: Join = (hear) => this.#words.join(about.tenantId, hear);
    const worker = new SessionWorker(startThread, join, {
      texts: about.allowedUrls.map(pathOf).filter((path) => path !== ''),
    });
    if (about.credentials.length > 0) worker.withhold(randomBytes(32), about.allowedUrls);
    const hearing: Hearing = { session: null };
    const taking = takingOf(about, worker, hearing);
    const [initiated, taken] = await Promise.all([
      recordInitiated(record, about, masked.length, first),
      this.#take(about, first, taking),
    ]);
    if (!initiated.ok) {
      worker.close();
      await taken?.started.stop();
      return initiated;
    }
    if (taken === null) {
      worker.close();
      await record({ eventType: 'session_closed', who: 'enclave', detail: { reason: 'crashed' } });
      return unavailable;
    }
    const claims = maskWith(worker, roots, masked);
    const { browser, started } = taken;
    const session = new Session({
      about,
      browser,
      started,
      record,
      worker,
      clock,
      hear: (event) => events.add(about.sessionId, event),
    });
    hearing.session = session;
    session.told.claims = claims;
    for (const credential of masked) session.masked.add(nameOf(credential));
    const letIn = await this.#letIn(session, wasExpected);
    if (!letIn.ok) {
      await session.end('crashed');
      return letIn;
    }
    if (about.startUrl !== undefined)
      await session.turns.take(() => openStartUrl(browser, session, about.startUrl ?? ''));
    await session.tellState();
    return ok({ session, auditId: initiated.value });
  }

  /** Makes it known in the very moment in which it has heard all that was told while it was opened. */
  async #letIn(session: Session, wasExpected: boolean): Promise<Result<null, EnclaveRefusal>> {
    const { sessionId } = session.about;
    for (;;) {
      const told = this.#expected.take(sessionId);
      if (told === null && wasExpected) return unavailable;
      if (told === null || told.length === 0) {
        this.#known.set(sessionId, session);
        this.#expected.forget(sessionId);
        return ok(null);
      }
      for (const one of told) {
        const masked = await maskTold(session, this.#parts.roots, one);
        if (!masked.ok) return masked;
      }
    }
  }

  /** A browser that was kept ready may have died meanwhile: nothing was done in it, so another takes its place. */
  async #take(about: About, first: StartedBrowser, taking: Taking): Promise<Taken | null> {
    const taken = await this.#tryOne(first, taking);
    if (taken !== null) return taken;
    const second = await this.#startBrowser(about);
    return second === null ? null : this.#tryOne(second, taking);
  }

  async #tryOne(started: StartedBrowser, taking: Taking): Promise<Taken | null> {
    // The pipe of a dead one may stay open, without an answer.
    const died = started.ended.then(() => Promise.reject(new Error('it ended at once')));
    try {
      return {
        started,
        browser: await Promise.race([this.#parts.openBrowser({ started, ...taking }), died]),
      };
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

/** Gives the field that says why a session cannot begin at its start URL. */
function wrongStart({ startUrl, patterns, credentials }: About): 'startUrl' | 'startUrl.logIn' | null {
  if (startUrl === undefined) return null;
  // Nobody could be asked about what opening it does.
  if (!allowsUrl(patterns, startUrl) || actsWhenOpened(startUrl)) return 'startUrl';
  return credentials.length > 0 && hasLogIn(startUrl) ? 'startUrl.logIn' : null;
}

/** Gives the path of a URL pattern. */
const pathOf = (pattern: string): string => pattern.replace(/^[^/]*\/\/[^/]*/, '');

const recordInitiated = (
  record: Recorder,
  about: About,
  maskedCredentials: number,
  { isolation }: StartedBrowser,
) =>
  record({
    eventType: 'session_initiated',
    who: whoOf(about),
    detail: {
      task: about.task,
      allowedUrls: about.allowedUrls,
      approval: about.approval,
      isolation,
      credentials: about.credentials,
      maskedCredentials,
      expiresAt: new Date(about.expiresAt).toISOString(),
      ...(about.startUrl !== undefined && { startUrl: addressOf(about.startUrl).url }),
    },
  });

/** Within scope, as was checked. A page that cannot be had leaves the session without one. */
async function openStartUrl(browser: Browser, session: Session, value: string): Promise<void> {
  const operation = { operation_type: 'navigate', value } as const;
  const opening = async () => {
    // Nobody could be asked about it.
    if ((await session.worker.write(writtenIn(operation))).isFull) return;
    await browser.observe(operation);
    await browser.perform(operation, [value]);
  };
  await session.ending.before(opening()).catch(() => null);
}

/** The session that its browser speaks to; null before there is one. */
type Hearing = { session: Session | null };

/** The session's side of its browser: limits, alarms, copying, masking. */
const takingOf = (about: About, worker: SessionWorker, hearing: Hearing) => ({
  allowedUrls: about.patterns,
  onAlarm: (alarm: Alarm) => hearing.session?.alarm(alarm),
  copyPage: copyWith(worker),
  mask: (texts: readonly string[], url: string) => worker.ask('mask', { texts, url }),
  findBoxes: boxesWith(worker),
  showsSecret: showsWith(worker),
  paint: paintWith(worker),
  hasSecrets: () => worker.hasSecrets,
  tellsCookies: about.credentials.length > 0,
  onDecoy: (decoy: Uint8Array) => worker.add(decoy, 'secret'),
  // Before there is a session nothing is opened.
  judgeSent: (sent: Sent) => hearing.session?.sent.judge(sent) ?? Promise.resolve('refuse' as const),
  onGone: (id: string) => hearing.session?.lose(id),
});
