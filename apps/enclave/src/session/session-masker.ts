import { ownCopy } from '../credential/field.ts';
import { type Masker, mask, newMasker } from '../masking/masker.ts';

/** The name of an account is masked too, but pages may show it. */
type Kind = 'secret' | 'name';

/** Takes every secret that was used in a session out of what leaves it, until the session is over. */
export class SessionMasker {
  #secrets: { readonly bytes: Buffer; readonly kind: Kind }[] = [];
  #masker: Masker | null = newMasker([]);
  /** Of those that are more than names. */
  #strict: Masker = newMasker([]);

  /** From here on this is looked for too. The caller wipes what it handed in. */
  add(secret: Uint8Array, kind: Kind): void {
    if (this.#masker === null) return;
    if (this.#secrets.some((known) => known.kind === kind && known.bytes.equals(secret))) return;
    this.#secrets.push({ bytes: ownCopy(secret), kind });
    const before = [this.#masker, this.#strict];
    this.#masker = newMasker(this.#secrets.map(({ bytes }) => bytes));
    this.#strict = newMasker(this.#secrets.flatMap(({ bytes, kind }) => (kind === 'secret' ? [bytes] : [])));
    for (const masker of before) masker.wipe();
  }

  readonly text = (text: string): string => (this.#masker === null ? mask : this.#masker.text(text));

  /** Texts that stand beside each other, of which one secret may be split over several. */
  readonly nodes = (texts: readonly string[]): string[] =>
    this.#masker === null ? texts.map(() => mask) : this.#masker.nodes(texts);

  /** Whether such texts hold a secret that is more than the name of an account. */
  readonly holdSecret = (texts: readonly string[]): boolean =>
    this.#strict.nodes(texts).some((text, i) => text !== texts[i]);

  readonly json = (value: unknown): unknown => (this.#masker === null ? mask : this.#masker.json(value));

  /** Nothing is let through any more. */
  wipe(): void {
    for (const { bytes } of this.#secrets) bytes.fill(0);
    this.#masker?.wipe();
    this.#strict.wipe();
    [this.#secrets, this.#masker] = [[], null];
  }
}
