import type { CdpEvent } from './cdp/connection.ts';

type State = 'scheduled' | 'loading' | 'idle' | 'unscheduled';

const states: Readonly<Record<string, State>> = {
  'Page.frameScheduledNavigation': 'scheduled',
  'Page.frameRequestedNavigation': 'scheduled',
  'Page.frameStartedLoading': 'loading',
  'Page.frameStartedNavigating': 'loading',
  'Page.frameClearedScheduledNavigation': 'unscheduled',
  'Page.frameStoppedLoading': 'idle',
  'Page.frameDetached': 'idle',
};

type NavigationEvent = {
  readonly frameId: string;
  readonly name?: string;
  readonly loaderId?: string;
  readonly frame?: { readonly id: string; readonly loaderId: string };
};

/** Follows the navigations of all frames: requested, pending, committed, loaded. */
export class Loading {
  /** Frames with a navigation in progress: a `scheduled` one has not started. */
  readonly #busy = new Map<string, 'scheduled' | 'loading'>();
  /** Committed documents by loader id, the newest last. */
  readonly #committed = new Set<string>();
  readonly #loaded = new Set<string>();
  /** Listeners for the next document request of each frame. */
  readonly #requested = new Map<string, () => void>();
  readonly #waiting = new Set<() => void>();
  /** The pending document of each frame: requested, not yet committed. */
  readonly #pending = new Map<string, string>();
  /** Frames whose last navigation was started by a document that was already being left. */
  readonly #late = new Set<string>();

  hear({ method, params }: CdpEvent): void {
    const { frameId, name, loaderId = '', frame } = params as NavigationEvent;
    if (method === 'Page.frameStartedNavigating') this.#judgeStart(frameId, loaderId);
    else if (method === 'Page.frameNavigated' && frame !== undefined) this.commit(frame.id, frame.loaderId);
    else if (method === 'Page.lifecycleEvent' && name === 'load') this.#remember(this.#loaded, loaderId);
    const told = states[method];
    if (told !== undefined) this.#move(frameId, told);
  }

  #move(frameId: string, told: State): void {
    const state = this.#busy.get(frameId);
    if (told === 'scheduled') this.#set(frameId, state ?? told);
    else if (told === 'loading') this.#set(frameId, told);
    else if (told === 'idle' || state === 'scheduled') this.#set(frameId, null);
  }

  #judgeStart(frameId: string, loaderId: string): void {
    const pending = this.#pending.get(frameId);
    if (pending === undefined || pending === loaderId) this.#late.delete(frameId);
    else this.#late.add(frameId);
  }

  /** Notes that the navigation committed: the frame now shows this document. */
  commit(frameId: string, loaderId: string): void {
    if (this.#pending.get(frameId) === loaderId) this.#pending.delete(frameId);
    this.#remember(this.#committed, loaderId);
  }

  /**
   * Notes a pending document: Chromium will commit it whatever happens. INVARIANT: a navigation that starts before that
   * commit comes from the document that is being left and counts as late; otherwise that document could bring the frame
   * back to a page of its choice.
   */
  setPending(frameId: string, loaderId: string): void {
    if (!this.#committed.has(loaderId)) this.#pending.set(frameId, loaderId);
  }

  /** Clears the pending document: the navigation was abandoned, or has not been requested yet. */
  clearPending(frameId: string): void {
    this.#pending.delete(frameId);
    this.#late.delete(frameId);
    this.#wake();
  }

  /** Returns whether the frame's current navigation was started by a document that was already being left. */
  isLate(frameId: string): boolean {
    return this.#late.has(frameId);
  }

  /** Notes that the frame requests a document: its current one has let itself be left (`beforeunload`). */
  request(frameId: string): void {
    this.#requested.get(frameId)?.();
    this.#requested.delete(frameId);
  }

  /** Resolves when the frame next requests a document. Never rejects. */
  untilRequested(frameId: string): Promise<void> {
    return new Promise((resolve) => {
      this.#requested.set(frameId, resolve);
    });
  }

  /** Resolves with true when the document has committed, with false when no navigation to it is left. Never rejects. */
  async untilCommitted(frameId: string, loaderId: string): Promise<boolean> {
    const isComing = () => this.#busy.has(frameId) || this.#pending.get(frameId) === loaderId;
    while (!this.#committed.has(loaderId) && isComing()) await this.#change();
    return this.#committed.has(loaderId);
  }

  /** Resolves when the document's `load` event has fired, or the frame has no navigation in progress. Never rejects. */
  async untilLoaded(frameId: string, loaderId: string): Promise<void> {
    while (!this.#loaded.has(loaderId) && this.#busy.has(frameId)) await this.#change();
  }

  /** Resolves when the frame has no navigation in progress. Never rejects. */
  async untilIdle(frameId: string): Promise<void> {
    while (this.#busy.has(frameId)) await this.#change();
  }

  /** Ends every navigation of a page that is gone or has crashed. */
  end(frameId: string): void {
    this.clearPending(frameId);
    this.#set(frameId, null);
  }

  #set(frameId: string, state: 'scheduled' | 'loading' | null): void {
    if (state === null) this.#busy.delete(frameId);
    else this.#busy.set(frameId, state);
    this.#wake();
  }

  #remember(documents: Set<string>, loaderId: string): void {
    documents.add(loaderId);
    if (documents.size > 100) documents.delete([...documents][0] ?? '');
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
    });
  }
}
