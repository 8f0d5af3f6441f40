import type { End } from './end.ts';

/** So long an end is known, and so many of them, with so many bytes of answers. */
const rememberedMs = 15 * 60_000;
const maxEnds = 1024;
const maxBytes = 64 * 2 ** 20;

/** The last ends, for whoever asked and was gone before it heard. */
export class KnownEnds {
  /** Oldest first. */
  readonly #ends = new Map<string, { readonly end: End; readonly at: number }>();
  #bytes = 0;

  /** `now`: Unix milliseconds. */
  find(key: string, now: number): End | null {
    this.#forget(now);
    return this.#ends.get(key)?.end ?? null;
  }

  remember(key: string, end: End, now: number): void {
    this.#drop(key, end.data);
    this.#ends.set(key, { end, at: now });
    this.#bytes += end.data.length;
    this.#forget(now);
  }

  #forget(now: number): void {
    for (const [key, { at }] of this.#ends) {
      const isFull = this.#ends.size > maxEnds || this.#bytes > maxBytes;
      if (!isFull && now - at < rememberedMs) return;
      this.#drop(key, null);
    }
  }

  /** Wipes what was answered, unless it goes on in `kept`. */
  #drop(key: string, kept: Buffer | null): void {
    const known = this.#ends.get(key);
    if (known === undefined) return;
    this.#ends.delete(key);
    this.#bytes -= known.end.data.length;
    if (known.end.data !== kept) known.end.data.fill(0);
  }
}
