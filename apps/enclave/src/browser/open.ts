import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Operation } from '@countersign/protocol/vault/operation';
import type { OperationProblem } from '@countersign/protocol/vault/sandbox';
import { allowsUrl, type UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { Observation } from '../review/observation.ts';
import type { StartedBrowser } from '../jail/host.ts';
import type { Alarm, Browser, PageData, Screenshot, Text } from './browser.ts';
import { CdpError } from './cdp/connection.ts';
import { Fills } from './decoy/fills.ts';
import type { RandomBytes } from './decoy/shape.ts';
import { Driver } from './driver.ts';
import type { Frame } from './frames.ts';
import { RequestGate } from './gate.ts';
import { Hold } from './hold.ts';
import { locate, type Located } from './locate.ts';
import { isLocal } from './network.ts';
import { act } from './operations.ts';
import { limits, mostText, need, type Stage } from './stage.ts';
import { OperationFailed, within } from './problem.ts';
import { takeScreenshot } from './screenshot.ts';
import type { FindSecrets } from './secret-boxes.ts';
import { checkShown as checkPage, type HoldSecret } from './shown-secrets.ts';

export type BrowserOptions = {
  readonly started: Pick<StartedBrowser, 'toBrowser' | 'fromBrowser'>;
  /** Of the session. */
  readonly allowedUrls: readonly UrlPattern[];
  readonly onAlarm: (alarm: Alarm) => void;
  /** Which texts of the page hold a secret of the session, as it is or encoded; decoys are known here. */
  readonly findSecrets?: FindSecrets;
  /** Whether scripts are to be kept from a page with these texts. */
  readonly holdSecret?: HoldSecret;
  readonly random?: RandomBytes;
};

type Seen = {
  readonly operation: Operation;
  readonly target: Located | null;
  /** Of the page. */
  readonly loaderId: string;
};

/** Takes over a browser that has just been started. Rejects when it does not answer. */
export async function openBrowser(options: BrowserOptions): Promise<Browser> {
  const { started, onAlarm, allowedUrls: scope } = options;
  const fills = new Fills(options.random ?? randomBytes);
  const hold = new Hold(() => driver);
  const gate = new RequestGate({ driver: () => driver, fills, hold, scope, onAlarm });
  const driver: Driver = new Driver({
    ...started,
    scope,
    onAlarm,
    gate: (sessionId, paused) => gate.pass(sessionId, paused),
    isHolding: () => hold.isOn,
  });
  await within(startLimit, driver.begin());
  const isAllowed = ({ parentId, url }: Frame) => parentId === null || isLocal(url) || allowsUrl(scope, url);
  const find: Stage['find'] = (selector, isRead, limit) =>
    locate(driver, { selector, isRead, needsSight: !isRead, limit, isAllowed });
  const { findSecrets = () => [], holdSecret = () => false } = options;
  const checkShown = async (): Promise<void> => {
    if (!fills.isEmpty || hold.wasOn) await checkPage(driver, holdSecret);
  };
  return new OpenBrowser({ driver, fills, hold, scope, find, checkShown }, findSecrets);
}

/** In milliseconds. */
const startLimit = 15_000;

class OpenBrowser implements Browser {
  readonly #stage: Stage;
  readonly #driver: Driver;
  readonly #findSecrets: FindSecrets;
  /** What the next operation was reviewed on. */
  #seen: Seen | null = null;
  readonly ended: Promise<void>;

  constructor(stage: Stage, findSecrets: FindSecrets) {
    this.#findSecrets = findSecrets;
    this.#stage = stage;
    this.#driver = stage.driver;
    this.ended = stage.driver.connection.ended;
  }

  readonly observe = async (operation: Operation): Promise<Observation> => {
    this.#seen = null;
    const looked = await attempt(() => this.#look(operation));
    if (looked.ok) this.#seen = looked.value;
    const target = looked.ok ? looked.value.target : null;
    const url = this.#driver.currentUrl() ?? 'about:blank';
    return { url, target: target?.target ?? null, reading: target?.reading ?? null };
  };

  readonly perform = (operation: Operation, value: Text): Promise<Result<unknown, OperationProblem>> =>
    attempt(async () => {
      const isSeen = this.#seen !== null && isDeepStrictEqual(this.#seen.operation, operation);
      const seen = isSeen ? this.#seen : await this.#look(operation);
      this.#seen = null;
      // Going elsewhere, or waiting, does not depend on what the page is.
      const isFree = operation.operation_type === 'navigate' || operation.operation_type === 'wait';
      if (!isFree && seen?.loaderId !== this.#driver.mainFrame().loaderId)
        throw new OperationFailed('interrupted');
      await this.#stage.hold.check(operation, seen?.target ?? null);
      return act(this.#stage, operation, value, seen?.target ?? null);
    });

  readonly screenshot = (fullPage: boolean): Promise<Result<Screenshot, OperationProblem>> =>
    attempt(async () => {
      await this.#stage.hold.checkReading();
      const { fills, hold } = this.#stage;
      const find: FindSecrets = (texts) => {
        const secret = this.#findSecrets(texts);
        const decoys = fills.areIn(texts);
        return texts.map((_, i) => secret[i] === true || decoys[i] === true);
      };
      return takeScreenshot(this.#driver, fullPage, fills.isEmpty && !hold.wasOn ? null : find);
    });

  readonly read = (selector: string | null): Promise<Result<PageData, OperationProblem>> =>
    attempt(async () => {
      await this.#stage.hold.checkReading();
      // `observe` has waited for it.
      const target = selector === null ? null : need(await this.#stage.find(selector, true, 0));
      const frame = target?.frame ?? this.#driver.mainFrame();
      const data = await this.#driver.call(frame, 'pageData', target?.token ?? null, mostText);
      if (data === null) throw new OperationFailed('interrupted');
      return data;
    });

  readonly currentUrl = (): string | null => this.#driver.currentUrl();

  readonly close = async (): Promise<void> => {
    const { connection } = this.#driver;
    await Promise.race([connection.send('Browser.close').catch(() => undefined), connection.ended]);
    connection.close();
  };

  async #look(operation: Operation): Promise<Seen> {
    const selector = 'selector' in operation ? operation.selector : undefined;
    const isRead = operation.operation_type === 'extract';
    // What is waited for need not be there yet.
    const limit = operation.operation_type === 'wait' ? 0 : limits.element;
    const target = selector === undefined ? null : await this.#stage.find(selector, isRead, limit);
    return { operation, target, loaderId: this.#driver.mainFrame().loaderId };
  }
}

/** Where operations end: what stops one is a value from here on. */
async function attempt<T>(work: () => Promise<T>): Promise<Result<T, OperationProblem>> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof OperationFailed) return fail(error.problem);
    if (error instanceof CdpError) return fail(new OperationFailed('interrupted').problem);
    throw error;
  }
}
