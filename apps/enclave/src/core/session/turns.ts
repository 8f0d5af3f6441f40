/** One after another, in the order in which they asked. */
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
