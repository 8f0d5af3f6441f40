import { legible } from './legible.ts';

/** A word of another party within our sentence: it can neither hide a part of itself nor turn the words around it. */
export const Verbatim = ({ text }: { text: string }) => (
  <bdi className="[overflow-wrap:anywhere]">{legible(text)}</bdi>
);
