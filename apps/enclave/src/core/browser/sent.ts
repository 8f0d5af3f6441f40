import { isUrl } from '@countersign/protocol/url';
import type { Operation } from '@countersign/protocol/vault/operation';
import type { Put } from '@countersign/review/request/put';
import { isReadingMethod } from '@countersign/review/request/purpose';
import type { SentRequest } from '@countersign/review/request/seen';
import type { SecretName } from './browser.ts';
import type { Driver } from './driver.ts';
import { mayChange } from './may-change.ts';
import { isLocal } from './network.ts';
import type { PausedRequest } from './protocol.ts';

export type Sent = SentRequest & {
  readonly id: string;
  /** True if no operation has acted in the document that sends it: the request is the site's own. */
  readonly isOwn: boolean;
  /** Loader id of the page that sends it; null if unknown. */
  readonly document: string | null;
  /** A document to which a server has sent the browser on. */
  readonly isHop: boolean;
  /** What leaves with it. */
  readonly secrets: readonly SecretName[];
};

/**
 * What is to become of a request that may change something. `ask` keeps it until it is released or dropped. Must not
 * reject: what is not answered is not sent.
 */
export type JudgeSent = (sent: Sent) => Promise<'pass' | 'refuse' | 'ask'>;

export type SentOptions = {
  readonly driver: () => Driver;
  readonly judge: JudgeSent;
  /** A request that waits can no longer be sent: its document is gone. */
  readonly onGone: (id: string) => void;
};

/** Is told whether the browser has sent it. */
export type Tell = (went: boolean) => void;

type About = {
  readonly carriesCredential: boolean;
  readonly body: Buffer;
  readonly isWhole: boolean;
  readonly secrets: readonly SecretName[];
  /** Looks again at the fields of what a page put into it; null where it put nothing. */
  readonly looking: (() => Promise<readonly Put[]>) | null;
};

type Held = {
  readonly frameId: string;
  readonly topId: string | null;
  readonly isDocument: boolean;
  /** The documents that the frame and its page showed. */
  readonly documents: Documents;
  readonly resolve: (tell: Tell | null) => void;
};

type Documents = readonly [frame: string | undefined, page: string | undefined];

/** Operations that may cause a page to send requests. */
export const actingOperations: ReadonlySet<Operation['operation_type']> = new Set([
  'click',
  'fill',
  'select',
  'press',
  'hover',
  'scroll',
  'execute_script',
]);

/** Most requests of a session that wait for a person. */
const maxHeld = 16;
const maxBody = 64 * 1024;
/** Documents that are remembered as acted in. */
const maxActed = 1000;

/** Requests that may change something, judged one by one before they leave. */
export class SentRequests {
  readonly #options: SentOptions;
  /** Documents of pages in which operations have acted, by loader. */
  readonly #acted = new Set<string>();
  readonly #held = new Map<string, Held>();
  readonly #judging = new Set<Promise<unknown>>();
  readonly #waiting = new Set<() => void>();
  #last = 0;

  constructor(options: SentOptions) {
    this.#options = options;
  }

  /** An operation acts: whatever any page of the session sends from now on may come of it. */
  touch(): void {
    for (const loaderId of this.#driver.documents()) this.#acted.add(loaderId);
    for (const loaderId of this.#acted)
      if (this.#acted.size > maxActed) this.#acted.delete(loaderId);
      else break;
  }

  /**
   * Reading passes by itself, but what acts when it is asked for, and each document, is judged by its address, whether an operation, a server or the page sends the
   * browser there: an honest site may send on to wherever it is asked to.
   */
  isJudged(paused: PausedRequest): boolean {
    const { url } = paused.request;
    const method = methodOf(paused.request);
    const isDocument = method === 'GET' && paused.resourceType === 'Document' && !isLocal(url);
    return isDocument || mayChange(method, url);
  }

  /** Null for what is not to be sent. May take as long as a person does. */
  async judge(paused: PausedRequest, about: About): Promise<Tell | null> {
    const id = String((this.#last += 1));
    const isOwn = !this.#isActedIn(paused);
    const sent = {
      ...sentOf(paused, this.#pageUrl(paused), about),
      id,
      isOwn,
      document: this.#driver.frames.top(paused.frameId)?.loaderId ?? null,
      isHop: isHop(paused),
      secrets: about.secrets,
    };
    const { looking } = about;
    const judging = looking === null ? this.#options.judge(sent) : this.#judgeWith(sent, looking);
    this.#judging.add(judging);
    const verdict = await judging.catch(() => 'refuse' as const).finally(() => this.#judging.delete(judging));
    if (verdict === 'pass') return () => undefined;
    return verdict === 'ask' ? this.#hold(id, paused) : null;
  }

  async #judgeWith(sent: Sent, looking: () => Promise<readonly Put[]>): ReturnType<JudgeSent> {
    return this.#options.judge({ ...sent, put: await looking() });
  }

  /** Resolves when all that was seen by now has been judged. */
  async judged(): Promise<void> {
    await Promise.allSettled(this.#judging);
  }

  /** Runs `work` and returns its result once all requests that pages have begun by then are judged. */
  async following<T>(work: () => Promise<T>): Promise<T> {
    const driver = this.#driver;
    driver.tellOfRequests(true);
    try {
      const result = await work();
      await driver.begun.seen();
      await this.judged();
      return result;
    } finally {
      driver.tellOfRequests(false);
    }
  }

  /**
   * What `work` gives, or null once a request is held for a person before that. What made the request may make more: the pages
   * end their tasks first, so that a person is asked about all of them together.
   */
  untilHeld<T>(work: Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      const giveUp = () => void this.#driver.endTasks().then(() => resolve(null));
      this.#waiting.add(giveUp);
      work.then(resolve, reject).finally(() => this.#waiting.delete(giveUp));
    });
  }

  /**
   * Returns whether a page waits for a person before it goes on: Chromium lets nobody speak to it until then.
   */
  holdsDocument(topId: string): boolean {
    return [...this.#held.values()].some((held) => held.isDocument && held.topId === topId);
  }

  /** Sends what waits. False where one of them is gone. */
  async release(ids: readonly string[]): Promise<boolean> {
    const sent = await Promise.all(
      ids.map((id) => {
        const held = this.#take(id);
        return new Promise<boolean>((tell) => (held === undefined ? tell(false) : held.resolve(tell)));
      }),
    );
    return sent.every(Boolean);
  }

  drop(ids: readonly string[]): void {
    for (const id of ids) this.#take(id)?.resolve(null);
  }

  /** A frame shows another document, or is gone: what was asked for before has gone with it. */
  leave(frameId: string): void {
    for (const [id, held] of this.#held) {
      const [frame, page] = this.#documents(held.frameId, held.topId);
      const isLeft =
        (held.frameId === frameId && held.documents[0] !== frame) ||
        (held.topId === frameId && held.documents[1] !== page);
      if (!isLeft) continue;
      this.drop([id]);
      this.#options.onGone(id);
    }
  }

  get #driver(): Driver {
    return this.#options.driver();
  }

  async #hold(id: string, { frameId, resourceType }: PausedRequest): Promise<Tell | null> {
    if (this.#held.size >= maxHeld) {
      this.#options.onGone(id);
      return null;
    }
    const topId = this.#driver.frames.top(frameId)?.id ?? null;
    return new Promise((resolve) => {
      const isDocument = resourceType === 'Document';
      const documents = this.#documents(frameId, topId);
      this.#held.set(id, { frameId, topId, isDocument, documents, resolve });
      for (const tell of this.#waiting) tell();
      this.#waiting.clear();
    });
  }

  #documents(frameId: string, topId: string | null): Documents {
    const { frames } = this.#driver;
    return [frames.get(frameId)?.loaderId, frames.get(topId ?? '')?.loaderId];
  }

  #take(id: string): Held | undefined {
    const held = this.#held.get(id);
    this.#held.delete(id);
    return held;
  }

  #pageUrl({ frameId }: PausedRequest): string {
    return this.#driver.frames.top(frameId)?.url ?? '';
  }

  /**
   * Returns whether the sender was acted on. A request that is sent while its document unloads arrives after
   * the next one has committed; only its referrer still names the sender.
   */
  #isActedIn({ frameId, resourceType, request }: PausedRequest): boolean {
    if (this.#acted.size === 0) return false;
    const top = this.#driver.frames.top(frameId);
    // Of a worker that pages share, or of a page that is only being opened.
    if (top === null || !top.url.startsWith('http')) return true;
    if (this.#acted.has(top.loaderId) || resourceType === 'Ping') return true;
    const from = this.#driver.frames.get(frameId)?.url ?? '';
    return isFromElsewhere(headerOf(request.headers, 'referer'), from);
  }
}

const isHop = ({ redirectedRequestId }: PausedRequest): boolean => redirectedRequestId !== undefined;

/** A referrer that says no more than the origin tells nothing. */
function isFromElsewhere(referer: string, url: string): boolean {
  if (!isUrl(referer) || !isUrl(url)) return false;
  const [from, own] = [new URL(referer), new URL(url)];
  if (from.pathname === '/' && from.search === '') return false;
  return from.origin + from.pathname + from.search !== own.origin + own.pathname + own.search;
}

const sentOf = (
  { request, resourceType }: PausedRequest,
  pageUrl: string,
  { carriesCredential, body, isWhole }: About,
): SentRequest => ({
  method: methodOf(request),
  url: request.url,
  resource: resourceType.toLowerCase(),
  contentType: headerOf(request.headers, 'content-type'),
  action: actionOf(request.headers),
  body: body.subarray(0, maxBody).toString('utf8'),
  isCut: !isWhole || body.length > maxBody,
  carriesCredential,
  pageUrl,
});

/** Servers act on these instead of the method, or ignore them. */
const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override'];

/** Returns the gravest method that a server may take the request for: DELETE, then any but POST that changes, then POST. */
function methodOf({ method, headers }: PausedRequest['request']): string {
  const said = overrides.flatMap((name) => headerOf(headers, name).split(','));
  const all = [method, ...said].map((one) => one.trim().toUpperCase()).filter((one) => one !== '');
  const changing = all.filter((one) => !isReadingMethod(one));
  const grave = changing.includes('DELETE') ? 'DELETE' : changing.find((one) => one !== 'POST');
  return grave ?? changing[0] ?? method.toUpperCase();
}

/** Returns the action that headers name: `SOAPAction`, `X-Amz-Target`, `Next-Action`. */
const actionOf = (headers: PausedRequest['request']['headers']): string =>
  Object.entries(headers)
    .filter(([name]) => /(^|-|soap)(action|operation|command|rpc)$|^x-amz-target$/i.test(name))
    .map(([, value]) => value)
    .sort()
    .join(' ')
    .slice(0, 300);

const headerOf = (headers: Readonly<Record<string, string>>, name: string): string =>
  Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
