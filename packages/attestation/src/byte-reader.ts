/**
 * Reads fixed layouts from bytes that nobody vouches for yet. Reading past the end gives nothing and is remembered, so
 * that a layout is read in one go and judged once, by `isWhole`. Numbers are little endian.
 */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;
  #isShort = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) {
      this.#isShort = true;
      return Buffer.alloc(0);
    }
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  hex(length: number): string {
    return this.take(length).toString('hex');
  }

  u16(): number {
    const bytes = this.take(2);
    return bytes.length === 2 ? bytes.readUInt16LE() : 0;
  }

  u32(): number {
    const bytes = this.take(4);
    return bytes.length === 4 ? bytes.readUInt32LE() : 0;
  }

  u64(): bigint {
    const bytes = this.take(8);
    return bytes.length === 8 ? bytes.readBigUInt64LE() : 0n;
  }

  rest(): Buffer {
    return this.take(this.#bytes.length - this.#at);
  }

  /** Whether everything was there, and nothing is left over. */
  get isWhole(): boolean {
    return !this.#isShort && this.#at === this.#bytes.length;
  }
}
