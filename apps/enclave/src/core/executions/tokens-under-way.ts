/** Which action tokens a request carries just now: from before it leaves until its answer is there, or will not be. */
export class TokensUnderWay {
  /** The number of in-flight requests that carry each token. */
  readonly #carried = new Map<string, number>();

  has(token: string): boolean {
    return this.#carried.has(token);
  }

  /** Does what sends the token. */
  async carry<T>(token: string, send: () => Promise<T>): Promise<T> {
    this.#carried.set(token, (this.#carried.get(token) ?? 0) + 1);
    try {
      return await send();
    } finally {
      const others = (this.#carried.get(token) ?? 1) - 1;
      if (others === 0) this.#carried.delete(token);
      else this.#carried.set(token, others);
    }
  }
}
