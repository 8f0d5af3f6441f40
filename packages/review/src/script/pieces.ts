/** How a text is written within another one: inside a JSON string, a form, an address. */
export type Layer = 'json' | 'form' | 'uri';

/** Text of a request: as it was written, or what a placeholder stands for, by its place in the script, innermost layer first. */
export type Piece = string | { readonly placeholder: number; readonly layers: readonly Layer[] };

/** A text as it is written within another one. */
export const encoded: Readonly<Record<Layer, (text: string) => string>> = {
  json: (text) => JSON.stringify(text).slice(1, -1),
  form: (text) => new URLSearchParams([['', text]]).toString().slice(1),
  uri: (text) => encodeURIComponent(text.toWellFormed()),
};

/** The same text, written within another one. */
export const within = (layer: Layer, pieces: readonly Piece[]): Piece[] =>
  pieces.map((piece) =>
    typeof piece === 'string'
      ? encoded[layer](piece)
      : { placeholder: piece.placeholder, layers: [...piece.layers, layer] },
  );

/** The text, if no placeholder is in it. */
export const plainText = (pieces: readonly Piece[]): string | null =>
  pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : null;
