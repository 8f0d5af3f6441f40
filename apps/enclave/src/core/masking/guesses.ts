/** So many words that an agent wrote are compared with secrets in a session: each of them is a guess. */
const maxGuesses = 64;
/** So many more are masked. */
const maxWords = 256;
/** Words that a page showed before are known in such numbers; the oldest are looked up again. */
const maxShown = 4096;

/** The remaining quota. */
export type Room = {
  /** Guesses left in all sessions of the tenant. */
  readonly guesses: number;
  readonly words: number;
  /**
   * Returns whether the last page showed it before it was written: then it is no secret, and the agent could
   * read that.
   */
  readonly isShown: (word: string) => boolean;
};

/** How the written words were counted. `isFull`: there were too many, and none was noted. */
export type Taken = {
  readonly counted: readonly string[];
  readonly over: readonly string[];
  readonly isFull: boolean;
};

/**
 * Which words of an agent's are compared with secrets, and which are masked whether they are one or not. That depends on
 * what it wrote and what it could read, and on nothing else.
 */
export class Guesses {
  #counted = new Set<string>();
  #over = new Set<string>();
  #shown = new Set<string>();
  /** How many of the guesses over the limit this session made. */
  #own = 0;

  isCounted(word: string): boolean {
    return this.#counted.has(word);
  }

  /** All or none of them. */
  take(words: readonly string[], room: Room): Taken {
    const fresh = [...new Set(words)].filter((word) => !this.#isKnown(word));
    const free = Math.max(0, Math.min(maxGuesses - this.#counted.size, room.guesses));
    const counted = fresh.slice(0, free);
    const [shown, over] = [new Set<string>(), [] as string[]];
    for (const word of fresh.slice(free))
      if (room.isShown(word)) shown.add(word);
      else over.push(word);
    if (over.length > Math.min(maxWords - this.#own, room.words))
      return { counted: [], over: [], isFull: true };
    for (const word of shown) this.#shown.add(word);
    this.#shown = new Set([...this.#shown].slice(-maxShown));
    this.hearOwn({ counted, over });
    return { counted, over, isFull: false };
  }

  /** Takes in the words that went over the limit in other sessions. */
  hear(over: readonly string[]): void {
    for (const word of over) this.#over.add(word);
  }

  /** Restores this session's counts in a thread that replaces one. */
  hearOwn({ counted, over }: Pick<Taken, 'counted' | 'over'>): void {
    for (const word of counted) this.#counted.add(word);
    this.hear(over);
    this.#own += over.length;
  }

  clear(): void {
    [this.#counted, this.#over, this.#shown] = [new Set(), new Set(), new Set()];
    this.#own = 0;
  }

  #isKnown(word: string): boolean {
    return this.#counted.has(word) || this.#over.has(word) || this.#shown.has(word);
  }
}
