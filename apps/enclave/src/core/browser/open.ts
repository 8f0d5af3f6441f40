import type { Cookie } from '../session/withheld/cookie.ts';
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Operation } from '@countersign/protocol/vault/operation';
import type { OperationProblem } from '@countersign/protocol/vault/sandbox';
import { allowsUrl, type UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { Observation } from '@countersign/review/observation';
import type { StartedBrowser } from '../../channel/browser-host.ts';
import type { Alarm, Browser, PageData, Screenshot } from './browser.ts';
import { CdpError } from './cdp/connection.ts';
import { Fills } from './decoy/fills.ts';
import type { RandomBytes } from './decoy/shape.ts';
import { Driver } from './driver.ts';
import type { Frame } from './frames.ts';
import { RequestGate } from './gate.ts';
import { Hold } from './hold.ts';
import { locate, type Located, locateFocus } from './locate.ts';
import { isLocal } from './network.ts';
import { act, type Given } from './operations.ts';
import { staysInPage } from './stays-in-page.ts';
import { limits } from './limits.ts';
import { type CopyPage, Mirror } from './mirror/mirror.ts';
import { need, settle, type Stage } from './stage.ts';
import { isActivating } from './keys.ts';
import { outlined } from './outline.ts';
import { OperationFailed, within } from './problem.ts';
import { takeScreenshot } from './screenshot.ts';
import { actingOperations, type JudgeSent, SentRequests } from './sent.ts';
import type { Paint } from './png.ts';
import { PutFields } from './put-fields.ts';
import { type FindBoxes, type ShowsSecret, snapshotsOf } from './secret-boxes.ts';
import { Touched } from './touched.ts';

export type BrowserOptions = {
  readonly started: Pick<StartedBrowser, 'toBrowser' | 'fromBrowser'>;
  /** The URLs that the session is limited to. */
  readonly allowedUrls: readonly UrlPattern[];
  readonly onAlarm: (alarm: Alarm) => void;
  /** Makes the copies of pages that are read in their stead. */
  readonly copyPage: CopyPage;
  /** Takes the session's secrets out of texts, each by itself. */
  readonly mask: Stage['mask'];
  /** Finds the areas of pages that show secrets of the session, which pictures paint over. */
  readonly findBoxes?: FindBoxes;
  /** Whether pages show a secret of the session. */
  readonly showsSecret?: ShowsSecret;
  readonly paint: Paint;
  /** Told of each decoy before it is typed. */
  readonly onDecoy?: (decoy: Uint8Array) => void;
  /** Judges requests that may change something, before they are sent. */
  readonly judgeSent: JudgeSent;
  /** A request that was to be asked about cannot be sent any more. */
  readonly onGone: (id: string) => void;
  /** Returns whether there is anything to look for in pictures. */
  readonly hasSecrets?: () => boolean;
  /** Whether `copyPage` is told of the cookies. */
  readonly tellsCookies?: boolean;
  readonly random?: RandomBytes;
};

type Painting = Required<Pick<BrowserOptions, 'findBoxes' | 'hasSecrets' | 'paint'>>;

type Seen = {
  readonly operation: Operation;
  readonly target: Located | null;
  /** The loader id of the page. */
  readonly loaderId: string;
};

/** Takes over a browser that has just been started. Rejects when it does not answer. */
export async function openBrowser(options: BrowserOptions): Promise<Browser> {
  const { started, onAlarm, allowedUrls: scope } = options;
  const fills = new Fills(options.random ?? randomBytes, options.onDecoy);
  const hold = new Hold(() => driver);
  const sent = new SentRequests({ driver: () => driver, judge: options.judgeSent, onGone: options.onGone });
  const put = new PutFields(() => driver, fills);
  const isTouched = (loaderId: string): boolean => touched.has(loaderId);
  const gate = new RequestGate({
    driver: () => driver,
    fills,
    hold,
    sent,
    put,
    scope,
    isTouched,
    onAlarm,
  });
  const driver: Driver = new Driver({
    ...started,
    onAlarm,
    gate: (sessionId, paused, onTurnedDown) => gate.pass(sessionId, paused, onTurnedDown),
    isHolding: () => hold.isOn,
    answerMirror: (target, paused) => mirror.answer(target, paused),
    onLeft: (frameId) => sent.leave(frameId),
    isWaiting: (targetId) => sent.holdsDocument(targetId),
  });
  const isAllowed = ({ parentId, url }: Frame) => parentId === null || isLocal(url) || allowsUrl(scope, url);
  const cookies = async (): Promise<readonly Cookie[]> =>
    options.tellsCookies === true ? within(cookiesLimit, cookiesOf(driver)) : [];
  const mirror: Mirror = new Mirror(driver, options.copyPage, isAllowed, cookies);
  const touched = new Touched(driver);
  await within(startLimit, driver.begin());
  mirror.prepare();
  const find: Stage['find'] = (selector, isRead, limit, aim = 'none') =>
    locate(driver, mirror, { selector, isRead, needsSight: !isRead, limit, aim });
  const findFocused = () => locateFocus(driver, isAllowed);
  const { findBoxes = async () => [], hasSecrets = () => true, mask, paint } = options;
  const showsSecret = async (): Promise<boolean> =>
    hasSecrets() && (await options.showsSecret?.(await snapshotsOf(driver))) === true;
  return new OpenBrowser(
    { driver, fills, hold, sent, put, scope, find, showsSecret, findFocused, mirror, mask },
    { findBoxes, hasSecrets, paint },
    touched,
    cookies,
  );
}

async function cookiesOf({ connection }: Driver): Promise<readonly Cookie[]> {
  type Given = Omit<Cookie, 'isHttpOnly'> & { readonly httpOnly: boolean };
  const { cookies } = await connection.send<{ cookies: readonly Given[] }>('Storage.getCookies');
  return cookies.map(({ name, value, httpOnly }) => ({ name, value, isHttpOnly: httpOnly }));
}

/** Time limits for starting the browser and for reading its cookies, in milliseconds. */
const [startLimit, cookiesLimit] = [15_000, 5000];

class OpenBrowser implements Browser {
  readonly #stage: Stage;
  readonly #driver: Driver;
  readonly #painting: Painting;
  /** The page as the review of the next operation saw it. */
  #seen: Seen | null = null;
  readonly #touched: Touched;
  #moves = 0;
  readonly ended: Promise<void>;
  readonly cookies: Browser['cookies'];

  constructor(stage: Stage, painting: Painting, touched: Touched, cookies: Browser['cookies']) {
    this.cookies = cookies;
    this.#painting = painting;
    this.#stage = stage;
    this.#driver = stage.driver;
    this.#touched = touched;
    this.ended = stage.driver.connection.ended;
  }

  readonly observe = async (operation: Operation): Promise<Observation> => {
    this.#seen = null;
    const looked = await attempt(() => this.#look(operation));
    if (looked.ok) this.#seen = looked.value;
    const target = looked.ok ? looked.value.target : null;
    const touched = looked.ok && this.#isTouched(looked.value);
    const url = this.#driver.currentUrl() ?? 'about:blank';
    return { url, target: target?.target ?? null, touched, reading: target?.reading ?? null };
  };

  readonly perform: Browser['perform'] = (operation, value, script = null) =>
    attempt(async () => {
      const isSeen = this.#seen !== null && isDeepStrictEqual(this.#seen.operation, operation);
      const seen = isSeen ? this.#seen : await this.#look(operation);
      this.#seen = null;
      // Going elsewhere, or waiting, does not depend on what the page is.
      const isFree = operation.operation_type === 'navigate' || operation.operation_type === 'wait';
      if (!isFree && seen?.loaderId !== this.#driver.mainFrame().loaderId)
        throw new OperationFailed('interrupted');
      const target = seen?.target ?? null;
      await this.#stage.hold.check(operation, target);
      this.#noteHand(operation, script);
      return this.#act(operation, { value, target, script });
    });

  readonly release = (ids: readonly string[]): Promise<Result<null, OperationProblem>> =>
    attempt(async () => {
      const { sent } = this.#stage;
      return sent.following(async () => {
        if (!(await sent.release(ids))) throw new OperationFailed('interrupted');
        await sent.untilHeld(settle(this.#driver));
        return null;
      });
    });

  readonly drop = (ids: readonly string[]): void => this.#stage.sent.drop(ids);

  readonly screenshot = (fullPage: boolean): Promise<Result<Screenshot, OperationProblem>> =>
    attempt(() => this.#picture(fullPage));

  readonly outlined = (operation: Operation): Promise<Result<Screenshot, OperationProblem>> =>
    attempt(async () => {
      const seen = this.#seen ?? (await this.#look(operation));
      if (seen.target === null) return this.#picture(false);
      // The page may be scrolled for that.
      this.#stage.sent.touch();
      await this.#moving(this.#driver.call(seen.target.frame, 'showTo', seen.target.token), (moved) => moved);
      return outlined(this.#driver, seen.target, await this.#picture(false), this.#painting.paint);
    });

  readonly takeMoves = (): number => {
    const moves = this.#moves;
    this.#moves = 0;
    return moves;
  };

  readonly read = (selector: string | null): Promise<Result<PageData, OperationProblem>> =>
    attempt(async () => {
      await this.#stage.hold.checkReading();
      // `observe` has waited for it.
      const { mirror, find } = this.#stage;
      const target = selector === null ? null : need(await find(selector, true, 0));
      if (target === null) await mirror.refresh();
      return mirror.data(target?.place ?? null);
    });

  readonly currentUrl = (): string | null => this.#driver.currentUrl();

  readonly currentDocument = (): string | null => this.#driver.currentDocument();

  readonly close = async (): Promise<void> => {
    const { connection } = this.#driver;
    await Promise.race([connection.send('Browser.close').catch(() => undefined), connection.ended]);
    connection.close();
  };

  /** Is over when something that it set off waits for a person: what it waits for may come much later. */
  async #act(operation: Operation, given: Given): Promise<unknown> {
    const { sent, put } = this.#stage;
    const work = (): Promise<unknown> => {
      const done = act(this.#stage, operation, given);
      // What is typed is bound when all of it is there.
      return operation.operation_type === 'fill' ? done : sent.untilHeld(done);
    };
    if (actingOperations.has(operation.operation_type) || staysInPage(operation, this.#driver.currentUrl())) {
      await put.note();
      sent.touch();
      return sent.following(work);
    }
    const result = await work();
    await sent.judged();
    return result;
  }

  async #picture(fullPage: boolean): Promise<Screenshot> {
    const { hold, sent } = this.#stage;
    await hold.checkReading();
    // It is made higher for that, and may be told so.
    if (fullPage) sent.touch();
    const { findBoxes, hasSecrets, paint } = this.#painting;
    return takeScreenshot(
      this.#driver,
      fullPage,
      hasSecrets() ? { findBoxes, isGiven: hold.wasOn || this.#touched.byScript } : null,
      paint,
    );
  }

  /** Counts it as a move where it was one, or where that is not known. */
  async #moving<T>(looking: Promise<T>, hasMoved: (seen: T) => boolean, mayMove = true): Promise<T> {
    try {
      const seen = await looking;
      if (hasMoved(seen)) this.#moves += 1;
      return seen;
    } catch (error) {
      if (mayMove) this.#moves += 1;
      throw error;
    }
  }

  /** A script that only reads has no hand in the page: it is given a copy. */
  #noteHand(operation: Operation, script: Given['script']): void {
    if (operation.operation_type !== 'execute_script' || script?.kind === 'acts')
      this.#touched.note(operation);
  }

  #isTouched({ target, loaderId }: Seen): boolean {
    return this.#touched.has(target?.loaderId ?? loaderId) || target?.hasChanged === true;
  }

  async #look(operation: Operation): Promise<Seen> {
    const selector = 'selector' in operation ? operation.selector : undefined;
    const isRead = operation.operation_type === 'extract';
    // What is waited for need not be there yet.
    const limit = operation.operation_type === 'wait' ? 0 : limits.element;
    const aim = aimOf(operation);
    // What is aimed at is brought into view, which the page may take for more.
    if (aim === 'click') this.#stage.sent.touch();
    const target =
      selector !== undefined
        ? await this.#moving(
            this.#stage.find(selector, isRead, limit, aim),
            (found) => aim === 'click' && found?.moved === true,
            aim === 'click',
          )
        : aim === 'key'
          ? await this.#stage.findFocused()
          : null;
    return { operation, target, loaderId: this.#driver.mainFrame().loaderId };
  }
}

const aimOf = (operation: Operation): Located['aim'] => {
  if (operation.operation_type === 'click') return 'click';
  return operation.operation_type === 'press' && isActivating(operation.value) ? 'key' : 'none';
};

/** Runs the operation and returns what stopped it as a value. */
async function attempt<T>(work: () => Promise<T>): Promise<Result<T, OperationProblem>> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof OperationFailed) return fail(error.problem);
    if (error instanceof CdpError) return fail(new OperationFailed('interrupted').problem);
    throw error;
  }
}
