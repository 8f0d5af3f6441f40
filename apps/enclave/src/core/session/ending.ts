/** What is waited for under it is not waited for any longer once it has come. */
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

  /** What `work` gives, or `over`, whichever is first. */
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
