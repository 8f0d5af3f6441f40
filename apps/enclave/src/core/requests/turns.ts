/** Places for so many requests at once, and for fewer of one tenant. */
export class Places {
  readonly #max: number;
  readonly #maxOfOne: number;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(max: number, maxOfOne: number) {
    this.#max = max;
    this.#maxOfOne = maxOfOne;
  }

  /** Gives the place back when it is called. Null where there is none. */
  take(tenantId: string): (() => void) | null {
    const own = this.#taken.get(tenantId) ?? 0;
    if (this.#all >= this.#max || own >= this.#maxOfOne) return null;
    this.#all += 1;
    this.#taken.set(tenantId, own + 1);
    return () => {
      this.#all -= 1;
      const left = (this.#taken.get(tenantId) ?? 1) - 1;
      if (left > 0) this.#taken.set(tenantId, left);
      else this.#taken.delete(tenantId);
    };
  }
}

/** Work of which so much is done at a time; the rest waits in order. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Null where its turn did not come before `over`. */
  async run<T>(work: () => Promise<T>, over: AbortSignal): Promise<T | null> {
    if (!(await this.#come(over))) return null;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #come(over: AbortSignal): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(true);
    }
    if (over.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const come = (): void => {
        over.removeEventListener('abort', giveUp);
        resolve(true);
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(come), 1);
        resolve(false);
      };
      over.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(come);
    });
  }
}
