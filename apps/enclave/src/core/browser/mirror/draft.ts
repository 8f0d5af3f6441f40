export const nodeKinds = {
  document: 0,
  element: 1,
  foreign: 2,
  text: 3,
  comment: 8,
  openRoot: 10,
  closedRoot: 11,
} as const;

export type Attribute = readonly [name: string, value: string];
export type DraftNode = {
  readonly kind: number;
  readonly parent: number;
  /** Name of an element; text of the others, as the page has it. */
  readonly text: string;
  readonly attributes: readonly Attribute[];
  /** The value of a field. */
  readonly value: string | null;
};

/** A document's nodes in order, those that nobody but the browser made left out. */
export type Draft = {
  readonly nodes: readonly DraftNode[];
  readonly nodeIds: readonly number[];
  readonly seen: string;
  readonly styles: readonly (readonly [place: number, property: string, value: string])[];
  readonly checked: readonly number[];
  readonly selected: readonly number[];
  /** Elements with a document in the same snapshot: place, and its number there. */
  readonly inner: readonly (readonly [place: number, document: number])[];
};

export const isText = ({ kind }: DraftNode): boolean => kind === nodeKinds.text || kind === nodeKinds.comment;

/** A page of which every text has gone through the masker, before anything is made of it. */
export type MaskedPage = {
  readonly drafts: readonly Draft[];
  /** Says for each document which elements show which others. */
  readonly shown: readonly (readonly number[])[];
  readonly frameIds: readonly string[];
  readonly url: string;
};
