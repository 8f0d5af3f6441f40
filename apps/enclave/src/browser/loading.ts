import type { CdpEvent } from './cdp/connection.ts';

const states: Readonly<Record<string, 'scheduled' | 'loading' | 'idle' | 'unscheduled'>> = {
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
  readonly frame?: { readonly loaderId: string };
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

  hear({ method, params }: CdpEvent): void {
    const { frameId, name, loaderId, frame } = params as Told;
    const state = this.#busy.get(frameId);
    const told = states[method];
    if (told === 'scheduled') this.#set(frameId, state ?? told);
    else if (told === 'loading') this.#set(frameId, told);
    else if (told === 'idle' || (told === 'unscheduled' && state === 'scheduled')) this.#set(frameId, null);
    else if (method === 'Page.lifecycleEvent' && name === 'load' && loaderId !== undefined)
      this.#remember(this.#loaded, loaderId);
    else if (method === 'Page.frameNavigated' && frame !== undefined)
      this.#remember(this.#shown, frame.loaderId);
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
    while (!this.#shown.has(loaderId) && this.#busy.has(frameId)) await this.#change();
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

  /** Of a page that is gone or has crashed, everything is over. */
  end(frameId: string): void {
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
