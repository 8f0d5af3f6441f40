/** Tells when nobody waits any more. It is what we need of an `AbortSignal`, and every `AbortSignal` is one. */
export type Cancellation = {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
};

/** A cheaper `AbortController`: every call needs two. Listeners are called once. */
export class Canceller implements Cancellation {
  aborted = false;
  #listeners: readonly (() => void)[] = [];

  abort(): void {
    const listeners = this.#listeners;
    this.aborted = true;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  addEventListener(_: 'abort', listener: () => void): void {
    if (!this.aborted) this.#listeners = [...this.#listeners, listener];
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners.filter((other) => other !== listener);
  }
}

/** The same for whoever takes nothing but a real one. */
export function toAbortSignal(cancellation: Cancellation): AbortSignal {
  if (cancellation instanceof AbortSignal) return cancellation;
  const controller = new AbortController();
  if (cancellation.aborted) controller.abort();
  else cancellation.addEventListener('abort', () => controller.abort(), { once: true });
  return controller.signal;
}
