import { wordsIn } from '../masking/words.ts';

/** A longer page is read up to here. */
const maxCharacters = 500_000;

/** Words of the last page that was copied, as the agent could read it: none of them is a secret. */
export class ShownWords {
  #texts: string[] = [];
  #characters = 0;
  #words: Set<string> | null = null;

  /** A new page begins. */
  clear(): void {
    [this.#texts, this.#characters, this.#words] = [[], 0, null];
  }

  /** Masked texts of it. */
  add(texts: readonly string[]): void {
    for (const text of texts) {
      if (this.#characters + text.length > maxCharacters) return;
      this.#texts.push(text);
      this.#characters += text.length;
    }
  }

  /** `cut` takes out what the agent itself wrote: that would be shown whatever it is. */
  has(word: string, cut: (text: string) => string): boolean {
    this.#words ??= new Set(wordsIn(cut(this.#texts.join('\n')).toLowerCase()));
    return this.#words.has(word.toLowerCase());
  }
}
