/** Numbers that a seed decides: the same seed, the same numbers, on any machine (sfc32, whose state is mixed from the seed). */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#a = 0x9e3779b9 ^ seed;
    this.#b = Math.imul(seed, 0x85ebca6b);
    this.#c = 0xc2b2ae35 + Math.floor(seed / 2 ** 32);
    for (let i = 0; i < 12; i += 1) this.#next();
  }

  /** 32 bits. */
  #next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** An integer from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + (this.#next() % (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.#next() < probability * 2 ** 32;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.#next() % list.length];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }
}
