import type { Draft, MaskedPage } from './draft.ts';
import { Strings } from './strings.ts';

/**
 * What the mirror builds a document from. Texts are numbers of `strings`. `nodes` has of each place: kind, place of its
 * parent in this document, text (the name of an element), how many numbers of attributes follow, and these.
 */
export type MirrorDocument = {
  readonly nodes: readonly number[];
  /** One character for each place: `1` if it is visible. */
  readonly seen: string;
  /** Place, property, value: where the page's own style says otherwise than the browser. */
  readonly styles: readonly number[];
  /** Place and text. */
  readonly values: readonly number[];
  readonly checked: readonly number[];
  readonly selected: readonly number[];
  /** Place of the element, and number of the document that it shows. */
  readonly frames: readonly number[];
};

/** Builds the page anew. */
export function sourceOf({ drafts, shown, url }: MaskedPage): Uint8Array {
  const strings = new Strings();
  const documents = drafts.map((draft, i) => finish(draft, strings, shown[i] ?? []));
  return callOf('build', { strings: strings.joined(), url, documents });
}

/** A call of a function in the mirror with what can be said in JSON, escaped for a JSON string. */
export const callOf = (name: 'build' | 'change', given: unknown): Uint8Array =>
  Buffer.from(
    JSON.stringify(`inPage.${name}(JSON.parse(${JSON.stringify(JSON.stringify(given))}))`).slice(1, -1),
  );

function finish(draft: Draft, strings: Strings, frames: readonly number[]): MirrorDocument {
  const numbers: number[] = [];
  const values: number[] = [];
  draft.nodes.forEach(({ kind, parent, text, attributes, value }, place) => {
    numbers.push(kind, parent, strings.place(text), attributes.length * 2);
    for (const [name, said] of attributes) numbers.push(strings.place(name), strings.place(said));
    if (value !== null) values.push(place, strings.place(value));
  });
  const { seen, checked, selected } = draft;
  const styles = draft.styles.flatMap(([place, property, value]) => [
    place,
    strings.place(property),
    strings.place(value),
  ]);
  return { nodes: numbers, seen, styles, values, checked, selected, frames };
}
