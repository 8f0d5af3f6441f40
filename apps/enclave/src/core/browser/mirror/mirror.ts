import type { Cookie } from '../../session/withheld/cookie.ts';
import { isUrl } from '@countersign/protocol/url';
import type { Driver } from '../driver.ts';
import type { Frame } from '../frames.ts';
import type { Match } from '../in-page/mirrored.ts';
import type { PresentedResponse } from '../presented-response.ts';
import { OperationFailed } from '../problem.ts';
import type { Evaluated, PausedRequest } from '../protocol.ts';
import { limits, maxText } from '../limits.ts';
import { readResult } from '../script.ts';
import { snapshotOf } from '../secret-boxes.ts';
import type { Target } from '../targets.ts';
import type { CopiedFrame, CopyRequest, PageCopy } from './copy.ts';
import { readingScript, withoutWaysOut } from './realm.ts';
import { copiedStyles } from './snapshot.ts';

/** Makes a masked copy of what `DOMSnapshot` says, off this thread. Rejects with an `OperationFailed` where that takes too much. */
export type CopyPage = (request: CopyRequest) => Promise<PageCopy>;

/** An element of the page, found by looking at its copy. */
export type Sighted = Match & { readonly frame: Frame; readonly nodeId: number };

type Built = { readonly source: Uint8Array; readonly name: string | undefined; readonly in: string };

/**
 * What is read is a copy: the page's nodes without its secrets, built anew in a page that has no network, no storage and no
 * script of a site. Selectors, texts and reading scripts see nothing else, so none of them can ask about a secret.
 */
export class Mirror {
  readonly #driver: Driver;
  readonly #copy: CopyPage;
  readonly #isAllowed: (frame: Frame) => boolean;
  readonly #cookies: () => Promise<readonly Cookie[]>;
  #opened: Promise<Target> | null = null;
  #host: string | null = null;
  /** The copy that the mirror shows at the moment. */
  #built: Built | null = null;

  /** `cookies`: those of the browser; of a session that uses no credentials none are asked for. */
  constructor(
    driver: Driver,
    copy: CopyPage,
    isAllowed: (frame: Frame) => boolean,
    cookies: () => Promise<readonly Cookie[]>,
  ) {
    [this.#driver, this.#copy, this.#isAllowed, this.#cookies] = [driver, copy, isAllowed, cookies];
  }

  /** So that the first reading need not wait for it. */
  prepare(): void {
    this.#open().catch(() => undefined);
  }

  /**
   * Copies the page as it is now. What is asked of the mirror from here on is answered by this copy; the first question is
   * best asked along with it, before Chromium draws what nobody sees.
   */
  async refresh(
    question = 'inPage.show(true)',
  ): Promise<{ readonly copy: PageCopy; readonly answer: unknown }> {
    const shown = this.#built;
    const [copy, frame] = await Promise.all([this.#take(shown?.name), this.#frame()]);
    await this.#goTo(frame, copy.url);
    const contextId = await this.#driver.world(frame);
    const document = `${frame.sessionId} ${contextId}`;
    if (shown?.name !== undefined && (shown !== this.#built || shown.in !== document)) {
      // What the copy was made for is gone meanwhile.
      this.#built = null;
      return this.refresh(question);
    }
    return { copy, answer: await this.#ask(frame, { copy, contextId, document, question }) };
  }

  /** Nothing changes a copy once it is built, so that of a page which is as it was none is built again. */
  async #ask(
    frame: Frame,
    {
      copy,
      contextId,
      document,
      question,
    }: {
      readonly copy: PageCopy;
      readonly contextId: number;
      readonly document: string;
      readonly question: string;
    },
  ): Promise<unknown> {
    const { source, name } = copy;
    const isThere = this.#built?.in === document && Buffer.compare(this.#built.source, source) === 0;
    const asked = Buffer.from(JSON.stringify(`;${question}`).slice(1, -1));
    const slot = { name: 'expression', value: Buffer.concat(isThere ? [asked] : [source, asked]) };
    this.#built = null;
    const params = { contextId, returnByValue: true };
    const asking = this.#driver.send<Evaluated>(frame.sessionId, 'Runtime.evaluate', params, { slot });
    const { result, exceptionDetails } = await this.#driver.inTime(frame.sessionId, limits.element, asking);
    if (exceptionDetails !== undefined) throw new OperationFailed('interrupted');
    this.#built = { source, name, in: document };
    return result.value;
  }

  /** The first match in sight, in any frame within scope; else the first. */
  async find(selector: string, isRead: boolean): Promise<Sighted | null> {
    const { copy, answer } = await this.refresh(`inPage.match(${JSON.stringify(selector)}, ${isRead})`);
    const match = answer as Match | 'invalid' | null;
    if (match === 'invalid') throw new OperationFailed('no_such_element');
    const document = copy.documents.findLast(({ first }) => first <= (match?.place ?? -1));
    const frame = this.#driver.frames.get(document?.frameId ?? '');
    const nodeId = copy.nodeIds[match?.place ?? -1];
    return match === null || frame === null || nodeId === undefined ? null : { ...match, frame, nodeId };
  }

  /** Gives the masked text of an element that was found in the current copy. */
  async text(place: number): Promise<string> {
    const text = await this.#driver.call(await this.#frame(), 'textAt', place, maxText);
    if (text === null) throw new OperationFailed('interrupted');
    return text;
  }

  /** Gives the masked data of an element that was found in the current copy, or of the whole page. */
  async data(place: number | null) {
    const data = await this.#driver.call(await this.#frame(), 'dataAt', place, maxText);
    if (data === null) throw new OperationFailed('interrupted');
    return data;
  }

  /** Runs the body of an async function over a copy made for it, which is gone with it. */
  async run(source: string, responses: readonly PresentedResponse[] = []): Promise<unknown> {
    await this.refresh();
    const { sessionId } = await this.#frame();
    const running = this.#driver.send<Evaluated>(sessionId, 'Runtime.evaluate', {
      expression: readingScript(source, responses, maxText),
      awaitPromise: true,
      returnByValue: true,
      allowUnsafeEvalBlockedByCSP: false,
    });
    try {
      return readResult(await this.#driver.inTime(sessionId, limits.script, running));
    } finally {
      await this.#discard();
    }
  }

  /** Nothing but the empty document of an address is had here, and it never comes from a network. */
  answer({ targetId, sessionId }: Target, paused: PausedRequest): void {
    const { network } = this.#driver;
    if (paused.frameId !== targetId || paused.request.url !== this.#host)
      return network.abort(sessionId, paused);
    const params = {
      requestId: paused.requestId,
      responseCode: 200,
      responseHeaders: [
        { name: 'content-type', value: 'text/html; charset=utf-8' },
        { name: 'content-security-policy', value: policy },
      ],
      body: Buffer.from('<!doctype html>').toString('base64'),
    };
    this.#driver.send(sessionId, 'Fetch.fulfillRequest', params).catch(() => undefined);
  }

  #open(): Promise<Target> {
    this.#opened ??= this.#driver.openMirror();
    this.#opened.catch(() => {
      this.#opened = null;
    });
    return this.#opened;
  }

  async #frame(): Promise<Frame> {
    const { targetId } = await this.#open();
    const frame = this.#driver.frames.get(targetId);
    if (frame !== null) return frame;
    // It has crashed, or was closed with the browser: the next look has another.
    this.#opened = null;
    throw new OperationFailed('interrupted');
  }

  /** So that addresses are read as on the page: another origin takes another document. */
  async #goTo({ id, sessionId }: Frame, url: string): Promise<void> {
    const host = /^https?:/.test(url) && isUrl(url) ? `${new URL(url).origin}/` : 'http://mirror.invalid/';
    if (host === this.#host) return;
    this.#host = host;
    const { loaderId } = await this.#driver.send<{ loaderId?: string }>(sessionId, 'Page.navigate', {
      url: host,
    });
    await this.#driver.inTime(
      sessionId,
      limits.element,
      this.#driver.loading.untilLoaded(id, loaderId ?? ''),
    );
    await this.#driver.send(sessionId, 'Runtime.evaluate', { expression: withoutWaysOut });
  }

  async #discard(): Promise<void> {
    const target = await this.#open();
    [this.#opened, this.#host, this.#built] = [null, null, null];
    this.#driver.closeMirror(target);
    this.prepare();
  }

  /** Snapshots of every process that shows a part of the page. */
  async #take(shown: string | undefined): Promise<PageCopy> {
    const driver = this.#driver;
    const page = driver.page();
    driver.checkAnswers(page);
    const frames = driver.frames.within(page.targetId).filter(this.#isAllowed);
    const isRoot = ({ parentId, sessionId }: Frame) =>
      parentId === null || driver.frames.get(parentId)?.sessionId !== sessionId;
    const roots = frames.filter(isRoot);
    const taking = Promise.all([
      Promise.all(roots.map(({ sessionId }) => snapshotOf(driver, sessionId, copiedStyles))),
      Promise.all(frames.map((frame) => this.#copied(frame, isRoot(frame)))),
      this.#cookies(),
    ]);
    // What is found will mostly be looked at in the page: it gets ready for that while the copy is made.
    for (const root of roots.slice(0, 1)) driver.world(root).catch(() => undefined);
    const [snapshots, copied, cookies] = await taking;
    return this.#copy({ snapshots, frames: copied, shown, cookies });
  }

  async #copied({ id, parentId }: Frame, isRoot: boolean): Promise<CopiedFrame> {
    const parent = parentId === null || !isRoot ? null : this.#driver.frames.get(parentId);
    if (parent === null) return { id, parentId, ownerNodeId: null };
    const owner = await this.#driver.send<{ backendNodeId: number }>(parent.sessionId, 'DOM.getFrameOwner', {
      frameId: id,
    });
    return { id, parentId, ownerNodeId: owner.backendNodeId };
  }
}

/**
 * INVARIANT: a copy loads, runs, frames and sends nothing; otherwise reading a page would tell the page about
 * it.
 */
const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; webrtc 'block'";
