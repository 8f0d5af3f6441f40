/** Serializes work under each name. A name is kept until nobody waits for it any more. */
export class TurnsByName {
  readonly #busy = new Map<string, Promise<unknown>>();
  readonly #ending = new Set<() => void>();

  /** `signal` is aborted with `gone`, and when all is stopped. */
  async take<T>(name: string, gone: AbortSignal, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    while (this.#busy.has(name)) await this.#busy.get(name);
    const ending = new AbortController();
    const end = () => ending.abort();
    gone.addEventListener('abort', end);
    this.#ending.add(end);
    if (gone.aborted) end();
    const done = act(ending.signal);
    this.#busy.set(
      name,
      done.catch(() => null),
    );
    try {
      return await done;
    } finally {
      this.#busy.delete(name);
      this.#ending.delete(end);
      gone.removeEventListener('abort', end);
    }
  }

  /** Ends what is at work, and resolves when it has. */
  async stop(): Promise<void> {
    for (const end of this.#ending) end();
    await Promise.all(this.#busy.values());
  }
}
