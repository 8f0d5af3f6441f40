/** Separates strings; it is removed from a page's text. */
const separator = '\u0001';

/** A text as the mirror shows it. */
export const shownText = (text: string): string => text.replaceAll(separator, ' ');

/** Each string once. */
export class Strings {
  readonly #places = new Map<string, number>();

  place(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.#places.size);
    return this.#places.size - 1;
  }

  joined(): string {
    return [...this.#places.keys()].map(shownText).join(separator);
  }
}
