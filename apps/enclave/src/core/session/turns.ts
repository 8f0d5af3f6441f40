/** Runs work one at a time, in the order in which it was requested. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act);
    this.#last = turn.catch(() => null);
    return turn;
  }

  /** Resolves when all are done that have asked by now. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
