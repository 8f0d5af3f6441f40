import { createHash } from 'node:crypto';

/** Digests everything that a look at a page depends on. Chromium's answers begin with a number of their own, up to the first comma. */
export function digestOf(snapshots: readonly Uint8Array[], rest: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify([snapshots.map(({ length }) => length), rest]));
  for (const snapshot of snapshots) hash.update(snapshot.subarray(snapshot.indexOf(comma)));
  return hash.digest('base64');
}

const comma = 0x2c;

/** Caches the last result. A page that is read again is mostly unchanged and need not be parsed again. */
export class Last<T> {
  #key: string | null = null;
  #answer: T | null = null;

  unless(key: string, make: () => T): T {
    if (this.#answer !== null && this.#key === key) return this.#answer;
    const answer = make();
    [this.#key, this.#answer] = [key, answer];
    return answer;
  }

  clear(): void {
    [this.#key, this.#answer] = [null, null];
  }
}
