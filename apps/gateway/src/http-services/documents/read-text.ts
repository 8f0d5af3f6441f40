import { valueIn } from './document-value.ts';
import { type DocumentRefusal, type ReadDocument, readDocument } from '../openapi.ts';

/** A document as it came. It can be given to another thread. */
export type DocumentText = {
  readonly bytes: Uint8Array;
  /** The URL that it was read from. */
  readonly from: string;
  /** The server that the owner configured. */
  readonly server: string | null;
  /** Headers that are no argument's. */
  readonly taken: readonly string[];
};

/** `too-costly`: it took more time or memory than any honest document. */
type Refusal = DocumentRefusal | { readonly why: 'too-costly' };

/** Reads a document within bounds, wherever that is done. Rejects where it cannot be done here at all. */
export type DocumentReader = (text: DocumentText) => Promise<ReadDocument | Refusal>;

/** A document, by what was parsed of it. */
export const readValue = (value: unknown, { from, server, taken }: DocumentText) =>
  readDocument(value, new URL(from), server === null ? null : new URL(server), taken);

/** Reads a document here and now, however long it takes. */
export const readText = (text: DocumentText): ReadDocument | DocumentRefusal =>
  readValue(valueIn(textOf(text)), text);

/** Without the mark at its beginning by which some programs tell UTF-8. */
export const textOf = ({ bytes }: DocumentText): string => new TextDecoder().decode(bytes);
