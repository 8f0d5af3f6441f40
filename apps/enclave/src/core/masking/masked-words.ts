import { type FormIndex, indexForms, wipeIndex } from './form-index.ts';
import { type Form, formsOfWord } from './forms.ts';

/** So many words are in one index, so that one more does not build all of them again. */
const blockSize = 256;

const utf8 = new TextEncoder();

/** Words that are masked wherever they stand, right or wrong, except in what the agent wrote whole. */
export class MaskedWords {
  readonly #words = new Set<string>();
  #indexes: FormIndex[] = [];
  #indexed = 0;
  /** Forms of the words in the last index, as long as it is not full. */
  readonly #open: Form[][] = [];

  add(words: readonly string[]): void {
    for (const word of words) this.#words.add(word);
  }

  /** It only grows, until all are forgotten. */
  get size(): number {
    return this.#words.size;
  }

  /** Built when they are needed first. */
  indexes(): readonly FormIndex[] {
    if (this.#indexed < this.#words.size) this.#build();
    return this.#indexes;
  }

  clear(): void {
    for (const index of this.#indexes) wipeIndex(index);
    [this.#indexes, this.#indexed] = [[], 0];
    this.#open.length = 0;
    this.#words.clear();
  }

  #build(): void {
    const words = [...this.#words];
    if (this.#open.length > 0) for (const index of this.#indexes.splice(-1)) wipeIndex(index);
    for (; this.#indexed < words.length; this.#indexed++) {
      this.#open.push(formsOfWord(utf8.encode(words[this.#indexed])));
      if (this.#open.length === blockSize) this.#indexes.push(indexForms(this.#open.splice(0).flat()));
    }
    if (this.#open.length > 0) this.#indexes.push(indexForms(this.#open.flat()));
  }
}
