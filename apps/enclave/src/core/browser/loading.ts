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

type Told = {
  readonly frameId: string;
  readonly name?: string;
  readonly loaderId?: string;
  readonly frame?: { readonly id: string; readonly loaderId: string };
};

/** Which frames load something, and who waits for it. */
export class Loading {
  /** Frames that go somewhere: `scheduled` ones have not begun. */
  readonly #busy = new Map<string, 'scheduled' | 'loading'>();
  /** Documents, the newest last. */
  readonly #shown = new Set<string>();
  readonly #loaded = new Set<string>();
  /** Who waits for a frame to ask for another document. */
  readonly #beginning = new Map<string, () => void>();
  readonly #waiting = new Set<() => void>();
  /** The pending document of each frame: requested, not yet committed. */
  readonly #sentTo = new Map<string, string>();
  /** Frames that last began to go where a page wanted to that was already being left. */
  readonly #late = new Set<string>();

  hear({ method, params }: CdpEvent): void {
    const { frameId, name, loaderId = '', frame } = params as Told;
    if (method === 'Page.frameStartedNavigating') this.#judgeStart(frameId, loaderId);
    else if (method === 'Page.frameNavigated' && frame !== undefined) this.show(frame.id, frame.loaderId);
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
    const sentTo = this.#sentTo.get(frameId);
    if (sentTo === undefined || sentTo === loaderId) this.#late.delete(frameId);
    else this.#late.add(frameId);
  }

  /** The frame shows the document. */
  show(frameId: string, loaderId: string): void {
    if (this.#sentTo.get(frameId) === loaderId) this.#sentTo.delete(frameId);
    this.#remember(this.#shown, loaderId);
  }

  /**
   * Chromium is about to show the document, and does whatever happens. A page that begins to go elsewhere until then is
   * the one that is left, and would bring the frame back.
   */
  sendTo(frameId: string, loaderId: string): void {
    if (!this.#shown.has(loaderId)) this.#sentTo.set(frameId, loaderId);
  }

  /** Not any more, or not yet. */
  stay(frameId: string): void {
    this.#sentTo.delete(frameId);
    this.#late.delete(frameId);
    this.#wake();
  }

  /** Returns whether what the frame asks for now was begun by a page that was already being left. */
  isLate(frameId: string): boolean {
    return this.#late.has(frameId);
  }

  /** A document was asked for: what the frame shows has agreed to be left. */
  begin(frameId: string): void {
    this.#beginning.get(frameId)?.();
    this.#beginning.delete(frameId);
  }

  /** Resolves when that happens the next time. Never rejects. */
  untilBegun(frameId: string): Promise<void> {
    return new Promise((resolve) => {
      this.#beginning.set(frameId, resolve);
    });
  }

  /** Resolves when the frame has left what it showed for the document (true), or goes nowhere. Never rejects. */
  async untilShown(frameId: string, loaderId: string): Promise<boolean> {
    const isComing = () => this.#busy.has(frameId) || this.#sentTo.get(frameId) === loaderId;
    while (!this.#shown.has(loaderId) && isComing()) await this.#change();
    return this.#shown.has(loaderId);
  }

  /** Resolves when the document has loaded, or the frame shows another one by then that has. Never rejects. */
  async untilLoaded(frameId: string, loaderId: string): Promise<void> {
    while (!this.#loaded.has(loaderId) && this.#busy.has(frameId)) await this.#change();
  }

  /** Resolves when the frame goes nowhere. */
  async untilIdle(frameId: string): Promise<void> {
    while (this.#busy.has(frameId)) await this.#change();
  }

  /** Ends every navigation of a page that is gone or has crashed. */
  end(frameId: string): void {
    this.stay(frameId);
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
