/** Bytes that arrive in pieces. Whoever sends them one by one costs no more memory than whoever sends them at once. */
export class Bytes {
  #buffer: Buffer = Buffer.alloc(0);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(piece: Buffer): void {
    const size = this.#size + piece.length;
    // Mostly there is one piece: that is taken as it is, and full.
    if (this.#size === 0) this.#buffer = piece;
    else {
      if (size > this.#buffer.length) this.#grow(size);
      piece.copy(this.#buffer, this.#size);
    }
    this.#size = size;
  }

  whole(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  #grow(size: number): void {
    const larger = Buffer.allocUnsafe(Math.max(size, 2 * this.#buffer.length, 4096));
    this.#buffer.copy(larger, 0, 0, this.#size);
    this.#buffer = larger;
  }
}
