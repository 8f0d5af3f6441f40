import type { Socket } from 'node:net';
import type { Alarm } from './browser.ts';
import { type CdpEvent, Connection, type Sending } from './cdp/connection.ts';
import { type Frame, Frames } from './frames.ts';
import { type InPage, librarySource } from './in-page/library.ts';
import { Begun } from './begun.ts';
import { limits } from './limits.ts';
import { Loading } from './loading.ts';
import { Network } from './network.ts';
import { OperationFailed, within } from './problem.ts';
import type { Evaluated, PausedRequest } from './protocol.ts';
import { type Target, Targets } from './targets.ts';
import { endUntold } from './untold.ts';

export type DriverOptions = {
  readonly toBrowser: Socket;
  readonly fromBrowser: Socket;
  readonly onAlarm: (alarm: Alarm) => void;
  /** Decides about each request of a page and has `network` carry it out. All that comes back is `onTurnedDown`, where one is failed. */
  readonly gate: (sessionId: string, paused: PausedRequest, onTurnedDown: () => void) => void;
  readonly isHolding: () => boolean;
  /** Answers what the mirror asks for, which never leaves the browser. */
  readonly answerMirror: (target: Target, paused: PausedRequest) => void;
  /** A frame has begun to show another document. */
  readonly onLeft: (frameId: string) => void;
  /**
   * Returns whether a document that the page wants to show waits for a person: until then it answers nothing.
   */
  readonly isWaiting: (targetId: string) => boolean;
};

type Functions = {
  [K in keyof InPage as InPage[K] extends (...args: never) => unknown ? K : never]: InPage[K];
};
type Arguments<K extends keyof Functions> = Functions[K] extends (...args: infer A) => unknown ? A : never;
type Answer<K extends keyof Functions> = Functions[K] extends (...args: never) => infer R
  ? Awaited<R>
  : never;

/** Without `loaderId` it stays in its document. */
type Going = { readonly errorText?: string; readonly loaderId?: string };

type Lived = { readonly frameId: string; readonly loaderId: string; readonly name: string };

const waiting =
  'The form that the page sends waits for a person: wait until it is decided, or navigate elsewhere.';

/** Longer than any function in the page takes on purpose. */
const callLimit = 8000;

/** Pages of one browser, and how to speak to them. */
export class Driver {
  readonly connection: Connection;
  readonly network: Network;
  readonly frames: Frames;
  readonly loading = new Loading();
  readonly begun = new Begun();
  readonly #targets: Targets;
  readonly #gate: DriverOptions['gate'];
  readonly #answerMirror: DriverOptions['answerMirror'];
  readonly #onLeft: DriverOptions['onLeft'];
  readonly #isWaiting: DriverOptions['isWaiting'];
  /** Whether the renderer of a page is gone, by target. */
  readonly #crashed = new Set<string>();
  /** Popups that are being closed since they may show nothing, by target. */
  readonly #closing = new Set<string>();
  /** Pages and frames that have been opened, and have not said so far what they show. */
  readonly #opening = new Set<Promise<void>>();

  constructor(options: DriverOptions) {
    this.#onLeft = options.onLeft;
    this.#isWaiting = options.isWaiting;
    this.connection = new Connection(
      options.toBrowser,
      options.fromBrowser,
      (event) => this.#hear(event),
      options.isHolding,
    );
    this.#gate = options.gate;
    this.#answerMirror = options.answerMirror;
    this.network = new Network(this.connection, options.onAlarm);
    this.frames = new Frames(this.connection);
    this.#targets = new Targets(this.connection, {
      prepare: (target) => this.#prepare(target),
      mute: ({ sessionId }) => this.network.watch(sessionId),
      attached: (target) => this.#attached(target),
      detached: (target) => this.#detached(target),
    });
  }

  async begin(): Promise<void> {
    await Promise.all([
      this.#targets.begin(),
      this.connection.send('Browser.setDownloadBehavior', { behavior: 'deny' }).catch(() => undefined),
    ]);
    if (this.#targets.pages().length === 0) await this.#openPage();
    else await this.#learn();
  }

  async #openPage(): Promise<void> {
    await this.connection.send('Target.createTarget', { url: 'about:blank' });
    await this.#learn();
  }

  #learn(): Promise<void> {
    const page = this.#targets.pages().at(-1);
    return this.frames.learn(page?.sessionId ?? '', null);
  }

  /** The page that was opened last and is still there: what a person would look at. What is done next is done in it. */
  page(): Target {
    const page = this.#staying().findLast(({ targetId }) => this.frames.get(targetId) !== null);
    if (page === undefined) throw new OperationFailed('interrupted');
    return page;
  }

  #staying(): Target[] {
    return this.#targets.pages().filter(({ targetId }) => !this.#closing.has(targetId));
  }

  #showsSite(targetId: string): boolean {
    return this.frames.get(targetId)?.url.startsWith('http') === true;
  }

  /** Returns the loader ids of the documents that all pages show. */
  documents(): string[] {
    return this.#targets
      .pages()
      .flatMap(({ targetId }) => this.frames.within(targetId).map(({ loaderId }) => loaderId));
  }

  /** Resolves when the pages have ended the tasks that they are at, but for those that wait themselves. Never rejects. */
  async endTasks(): Promise<void> {
    const asked = this.#targets
      .pages()
      .filter(({ targetId }) => !this.#isWaiting(targetId))
      .flatMap(({ targetId }) => this.#sessionsOf(targetId))
      .map((sessionId) => within(limits.task, this.hasAnswered({ sessionId })));
    await Promise.allSettled(asked);
  }

  #sessionsOf(targetId: string): string[] {
    return [...new Set(this.frames.within(targetId).map(({ sessionId }) => sessionId))];
  }

  /** Returns whether Chromium tells of each request that a page begins. */
  tellOfRequests(isOn: boolean): void {
    if (isOn) this.begun.begin();
    for (const sessionId of this.#targets.pages().flatMap(({ targetId }) => this.#sessionsOf(targetId)))
      if (isOn) this.#later(sessionId, 'Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
      else this.#later(sessionId, 'Network.disable', {});
  }

  mainFrame(): Frame {
    const frame = this.frames.get(this.page().targetId);
    if (frame === null) throw new OperationFailed('interrupted');
    return frame;
  }

  /** A page for the mirror: it is none of a site's, and nothing that it asks for is sent. */
  async openMirror(): Promise<Target> {
    const target = await this.#targets.openMirror();
    await this.frames.learn(target.sessionId, null);
    return target;
  }

  closeMirror(target: Target): void {
    this.connection.forget(target.sessionId);
    this.#targets.close(target);
  }

  /** Null before the first page. */
  currentUrl(): string | null {
    const pages = this.#staying().map(({ targetId }) => this.frames.get(targetId)?.url);
    // A page that is only being opened has `:`, and may never show anything.
    const url = pages.findLast((one) => one !== undefined && one !== ':') ?? '';
    return url === '' || url === 'about:blank' ? null : url;
  }

  /** Gives the loader id of the page's document. */
  currentDocument(): string | null {
    const shown = this.#staying().findLast(({ targetId }) => this.frames.get(targetId) !== null);
    return this.frames.get(shown?.targetId ?? '')?.loaderId ?? null;
  }

  /** A page that has crashed can still be sent elsewhere. */
  async navigate(url: string): Promise<Going> {
    const { sessionId, targetId } = this.page();
    this.#crashed.delete(targetId);
    this.loading.clearPending(targetId);
    const take = (answer: Buffer): Going => {
      const { result } = JSON.parse(answer.toString('utf8')) as { result: Going };
      const isComing = (result.errorText ?? '') === '';
      if (isComing && result.loaderId !== undefined) this.loading.setPending(targetId, result.loaderId);
      return result;
    };
    return this.send(sessionId, 'Page.navigate', { url }, { raw: take });
  }

  /** Resolves when the page answers, or is gone; one that is busy for ever never does. */
  hasAnswered({ sessionId }: Pick<Target, 'sessionId'>): Promise<boolean> {
    const asked = this.send(sessionId, 'Runtime.evaluate', { expression: '0' });
    return asked.then(
      () => true,
      () => true,
    );
  }

  /** Closes a page that does not let itself be left. Nothing is sent again: that is for whoever asked. */
  async abandon(page: Target): Promise<void> {
    this.connection.forget(page.sessionId);
    this.#targets.close(page);
    await this.#openPage();
  }

  send<T = unknown>(
    sessionId: string,
    method: string,
    params: object = {},
    sending: Sending = {},
  ): Promise<T> {
    return this.connection.send<T>(method, params, { ...sending, sessionId });
  }

  /** Rejects as `timeout`, and ends the script that keeps the page busy, so that what is asked next is answered. */
  async inTime<T>(sessionId: string, limit: number, work: Promise<T>): Promise<T> {
    try {
      return await within(limit, work);
    } catch (error) {
      if (error instanceof OperationFailed && error.problem.code === 'timeout')
        this.#later(sessionId, 'Runtime.terminateExecution', {});
      throw error;
    }
  }

  /** Calls a function of ours in the frame's document. */
  call<K extends keyof Functions>(frame: Frame, name: K, ...args: Arguments<K>): Promise<Answer<K>> {
    return this.#callWith(
      frame,
      name,
      (args as unknown[]).map((value) => ({ value })),
    );
  }

  /** The same of one whose first argument is an element, which is handed over by its id. */
  callOn<K extends 'throughFrame' | 'look'>(
    frame: Frame,
    name: K,
    objectId: string,
    ...args: Arguments<K> extends [unknown, ...infer Rest] ? Rest : never
  ): Promise<Answer<K>> {
    return this.#callWith(frame, name, [{ objectId }, ...(args as unknown[]).map((value) => ({ value }))]);
  }

  /** Throws where its page answers nothing: its renderer is gone, or where it goes waits for a person. */
  checkAnswers({ sessionId }: Pick<Frame, 'sessionId'>): void {
    const page = this.#targets.get(sessionId)?.isMirror === true ? null : this.page();
    if (page === null) return;
    if (this.#crashed.has(page.targetId))
      throw new OperationFailed('interrupted', 'The page has crashed: navigate to it again.');
    if (this.#isWaiting(page.targetId)) throw new OperationFailed('held', waiting);
  }

  /** The same, for whoever waits no longer than he likes: whatever keeps the page busy goes on. */
  ask<K extends keyof Functions>(frame: Frame, name: K, ...args: Arguments<K>): Promise<Answer<K>> {
    const values = (args as unknown[]).map((value) => ({ value }));
    return this.#callWith(frame, name, values, (_, work) => work);
  }

  async #callWith<K extends keyof Functions>(
    frame: Frame,
    name: K,
    args: readonly object[],
    inTime = <T>(sessionId: string, work: Promise<T>) => this.inTime(sessionId, callLimit, work),
  ): Promise<Answer<K>> {
    this.checkAnswers(frame);
    const executionContextId = await inTime(frame.sessionId, this.world(frame));
    const calling = this.send<Evaluated>(frame.sessionId, 'Runtime.callFunctionOn', {
      functionDeclaration: `function(...args) { return inPage.${name}(...args) }`,
      executionContextId,
      arguments: args,
      returnByValue: true,
      awaitPromise: true,
    });
    const { result, exceptionDetails } = await inTime(frame.sessionId, calling);
    if (exceptionDetails !== undefined) throw new OperationFailed('interrupted');
    return result.value as Answer<K>;
  }

  /** The id of our own world in the document that the frame shows. */
  world(frame: Frame): Promise<number> {
    frame.world ??= this.#newWorld(frame);
    return frame.world;
  }

  async #newWorld(frame: Frame): Promise<number> {
    const { executionContextId } = await this.send<{ executionContextId: number }>(
      frame.sessionId,
      'Page.createIsolatedWorld',
      { frameId: frame.id, worldName: 'countersign' },
    );
    // What is called next comes after it.
    this.send(frame.sessionId, 'Runtime.evaluate', {
      expression: `${librarySource}undefined`,
      contextId: executionContextId,
    }).catch(() => undefined);
    return executionContextId;
  }

  #hear(event: CdpEvent): void {
    const { method, params, sessionId } = event;
    if (this.#targets.hear(event)) return;
    // What is none of the targets was turned away, and gets no answer.
    if (this.#targets.get(sessionId) === null || sessionId === undefined) return;
    if (method === 'Fetch.requestPaused') this.#judge(sessionId, params as PausedRequest);
    else if (method === 'Page.javascriptDialogOpening') this.#dismiss(sessionId, params);
    else if (method === 'Inspector.targetCrashed') this.#crash(sessionId);
    else if (method.startsWith('Network.')) this.begun.hear(event);
    else if (method.startsWith('Page.')) {
      this.frames.hear(event);
      this.loading.hear(event);
      if (method === 'Page.frameNavigated') this.#committed((params as { frame: { id: string } }).frame.id);
      if (method === 'Page.lifecycleEvent') this.#catchUp(sessionId, params as Lived);
    }
  }

  /** Chromium drops a request to close a page that commits a document just then, as that of an error: it is closed again. */
  #committed(frameId: string): void {
    this.#onLeft(frameId);
    const target = this.#targets.pages().find(({ targetId }) => targetId === frameId);
    if (target === undefined || !this.#closing.has(frameId)) return;
    if (this.#showsSite(frameId)) this.#closing.delete(frameId);
    else this.#targets.close(target);
  }

  /** Chromium at times shows a page without saying so, where the one that is left went elsewhere meanwhile. */
  #catchUp(sessionId: string, { frameId, loaderId, name }: Lived): void {
    const frame = this.frames.get(frameId);
    if (name !== 'load' || frame?.parentId !== null || frame.loaderId === loaderId) return;
    this.frames.learn(sessionId, null).then(
      () => this.loading.commit(frameId, frame.loaderId),
      () => undefined,
    );
  }

  /**
   * Has a paused request judged. A navigation that arrives too late, of a page that is already being left, is
   * aborted instead.
   */
  #judge(sessionId: string, paused: PausedRequest): void {
    this.begun.see(paused);
    const asking = this.#targets.get(sessionId);
    if (asking?.isMirror === true) return this.#answerMirror(asking, paused);
    const isDocument = paused.resourceType === 'Document';
    if (isDocument && this.loading.isLate(paused.frameId)) return this.network.abort(sessionId, paused);
    this.#gate(sessionId, paused, () => this.#closeEmpty(sessionId, paused));
    if (isDocument) this.loading.request(paused.frameId);
  }

  /** Closes a popup that was opened for what it may not show: it would stand before its opener. */
  #closeEmpty(sessionId: string, { frameId }: PausedRequest): void {
    const target = this.#targets.get(sessionId);
    const isPopup = target !== null && target.openerId !== null && target.targetId === frameId;
    if (!isPopup || this.#showsSite(target.targetId)) return;
    this.#closing.add(target.targetId);
    this.#targets.close(target);
  }

  /** Nobody is asked anything; a page that would not be left is left. */
  #dismiss(sessionId: string, params: unknown): void {
    const accept = (params as { type: string }).type === 'beforeunload';
    this.#later(sessionId, 'Page.handleJavaScriptDialog', { accept });
  }

  #crash(sessionId: string): void {
    const target = this.#targets.get(sessionId);
    if (target === null) return;
    this.#crashed.add(target.targetId);
    for (const frame of this.frames.within(target.targetId)) frame.world = null;
    this.connection.forget(sessionId);
    this.loading.end(target.targetId);
  }

  #prepare({ type, sessionId }: Target): void {
    this.network.watch(sessionId);
    if (type !== 'page' && type !== 'iframe') return;
    this.#later(sessionId, 'Page.enable', {});
    this.#later(sessionId, 'Page.setLifecycleEventsEnabled', { enabled: true });
    // A picture of a whole page is laid out without scroll bars. Were there any otherwise, no look at the page would tell where its
    // texts stand in that picture.
    this.#later(sessionId, 'Emulation.setScrollbarsHidden', { hidden: true });
    this.#later(sessionId, 'Network.setBypassServiceWorker', { bypass: true });
    this.#later(sessionId, 'Page.setInterceptFileChooserDialog', { enabled: true });
    this.#later(sessionId, 'Page.addScriptToEvaluateOnNewDocument', {
      source: endUntold,
      runImmediately: true,
    });
  }

  #attached(target: Target): void {
    if (target.type !== 'page' && target.type !== 'iframe') return;
    const parent = target.parent === null ? null : (this.#targets.get(target.parent)?.targetId ?? null);
    const opening = this.frames
      .learn(target.sessionId, target.type === 'page' ? null : parent)
      .catch(() => undefined)
      .finally(() => this.#opening.delete(opening));
    this.#opening.add(opening);
  }

  /** Resolves when all pages that have been opened by now are known, and whether they go somewhere. Never rejects. */
  async opened(): Promise<void> {
    await Promise.all(this.#opening);
  }

  #detached(target: Target): void {
    if (target.type === 'page') this.#onLeft(target.targetId);
    this.frames.forget(target.sessionId);
    this.loading.end(target.targetId);
    this.#crashed.delete(target.targetId);
    this.#closing.delete(target.targetId);
  }

  #later(sessionId: string, method: string, params: object): void {
    this.send(sessionId, method, params).catch(() => undefined);
  }
}
