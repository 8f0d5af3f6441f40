import { legible } from './legible.ts';

/** The beginning of another party's text, in a row of a table: the row's own page or sheet has all of it. */
export const Brief = ({ text }: { text: string }) => (
  <bdi className="line-clamp-3 [overflow-wrap:anywhere]">{legible(text)}</bdi>
);

const maxCharacters = 80;

/** The same within a sentence, whose end has to be read too: 80 characters as they are shown. */
export function beginningOf(text: string): string {
  const characters = Array.from(legible(text));
  return characters.length > maxCharacters
    ? `${characters.slice(0, maxCharacters - 1).join('')}…`
    : characters.join('');
}
