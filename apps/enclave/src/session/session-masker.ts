import { ownCopy } from '../credential/field.ts';
import { type Masker, mask, newMasker } from '../masking/masker.ts';

/** Takes every secret that was used in a session out of what leaves it, until the session is over. */
export class SessionMasker {
  #secrets: Buffer[] = [];
  #masker: Masker | null = newMasker([]);

  /** From here on this is looked for too. The caller wipes what it handed in. */
  add(secret: Uint8Array): void {
    if (this.#masker === null || this.#secrets.some((known) => known.equals(secret))) return;
    this.#secrets.push(ownCopy(secret));
    const before = this.#masker;
    this.#masker = newMasker(this.#secrets);
    before.wipe();
  }

  readonly text = (text: string): string => (this.#masker === null ? mask : this.#masker.text(text));

  /** Texts that stand beside each other, of which one secret may be split over several. */
  readonly nodes = (texts: readonly string[]): string[] =>
    this.#masker === null ? texts.map(() => mask) : this.#masker.nodes(texts);

  readonly json = (value: unknown): unknown => (this.#masker === null ? mask : this.#masker.json(value));

  /** Nothing is let through any more. */
  wipe(): void {
    for (const secret of this.#secrets) secret.fill(0);
    this.#masker?.wipe();
    [this.#secrets, this.#masker] = [[], null];
  }
}
