/** A latch. Once it is set, everything that waits under it stops waiting. */
export class Ending {
  #hasCome = false;
  readonly #waiting = new Set<() => void>();

  get hasCome(): boolean {
    return this.#hasCome;
  }

  come(): void {
    this.#hasCome = true;
    for (const giveUp of this.#waiting) giveUp();
    this.#waiting.clear();
  }

  /** Resolves with the result of `work`, or with `over` if the latch is set first. */
  before<T>(work: Promise<T>): Promise<T | 'over'> {
    if (this.#hasCome) {
      work.catch(() => null);
      return Promise.resolve('over');
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => resolve('over');
      this.#waiting.add(giveUp);
      work.then(resolve, reject).finally(() => this.#waiting.delete(giveUp));
    });
  }
}
