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

/** Which frames load something, and who waits for it. */
export class Loading {
  /** Frames that go somewhere: `scheduled` ones have not begun. */
  readonly #busy = new Map<string, 'scheduled' | 'loading'>();
  readonly #loaded = new Set<string>();
  readonly #waiting = new Set<() => void>();

  hear({ method, params }: CdpEvent): void {
    const { frameId, name, loaderId } = params as { frameId: string; name?: string; loaderId?: string };
    const state = this.#busy.get(frameId);
    const told = states[method];
    if (told === 'scheduled') this.#set(frameId, state ?? told);
    else if (told === 'loading') this.#set(frameId, told);
    else if (told === 'idle' || (told === 'unscheduled' && state === 'scheduled')) this.#set(frameId, null);
    else if (method === 'Page.lifecycleEvent' && name === 'load' && loaderId !== undefined)
      this.#finish(loaderId);
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

  #finish(loaderId: string): void {
    this.#loaded.add(loaderId);
    if (this.#loaded.size > 100) this.#loaded.delete([...this.#loaded][0] ?? '');
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
