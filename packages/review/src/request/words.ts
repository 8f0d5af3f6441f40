/** The words of a name as programs write it (`deleteItem`, `delete-item`, `DELETE_ITEM`, `order[delete]`), lower-case. */
export function wordsOf(name: string): string[] {
  return (
    name
      .slice(0, maxLetters)
      .normalize('NFKC')
      .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{M}\d]+/gu) ?? []
  );
}

/** A longer name says nothing to a reader either. */
const maxLetters = 300;

const pattern = (words: string): RegExp => new RegExp(`^(?:${words})$`, 'u');

/** Whether one of the words is one of those (`a|b|c`, whole words). */
export function holding(words: string): (given: readonly string[]) => boolean {
  const which = pattern(words);
  return (given) => given.some((word) => which.test(word));
}

/** Whether a word is one of those. */
export function among(words: string): (word: string | undefined) => boolean {
  const which = pattern(words);
  return (word) => word !== undefined && which.test(word);
}
