/**
 * The members of `DOMSnapshot.captureSnapshot` that we read. Numbers are indexes into `strings`, -1 for none.
 */
export type Snapshot = {
  readonly strings: readonly string[];
  readonly documents: readonly SnapshotDocument[];
};

type Sparse = { readonly index: readonly number[]; readonly value: readonly number[] };

export type SnapshotDocument = {
  readonly documentURL: number;
  readonly frameId: number;
  readonly scrollOffsetX?: number;
  readonly scrollOffsetY?: number;
  readonly nodes: {
    /** -1 for the document. A parent stands before its children. */
    readonly parentIndex: readonly number[];
    readonly nodeType: readonly number[];
    readonly nodeName: readonly number[];
    readonly nodeValue: readonly number[];
    readonly backendNodeId: readonly number[];
    /** For each node, its attributes' names and values in turn. */
    readonly attributes: readonly (readonly number[])[];
    readonly shadowRootType?: Sparse;
    readonly textValue?: Sparse;
    readonly inputValue?: Sparse;
    readonly inputChecked?: { readonly index: readonly number[] };
    readonly optionSelected?: { readonly index: readonly number[] };
    readonly contentDocumentIndex?: Sparse;
    readonly pseudoType?: Sparse;
    /** The source that a picture has chosen from its candidates. */
    readonly currentSourceURL?: Sparse;
  };
  readonly layout: {
    readonly nodeIndex: readonly number[];
    /** For each box, the values of the requested styles; a text has those of its parent. */
    readonly styles: readonly (readonly number[])[];
    readonly bounds: readonly (readonly number[])[];
    readonly text: readonly number[];
  };
};

/** Styles that decide which text a page shows, where they differ from the browser's defaults. */
export const copiedStyles = [
  'display',
  'visibility',
  'opacity',
  'text-transform',
  'white-space-collapse',
] as const;

export const pairsOf = (sparse: Sparse | undefined): Map<number, number> =>
  new Map((sparse?.index ?? []).map((node, i) => [node, sparse?.value[i] ?? -1]));

/** INVARIANT: reads Chromium's bytes in place; a copy of them would not be wiped. */
export function readSnapshot({ buffer, byteOffset, byteLength }: Uint8Array): Snapshot {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  return (JSON.parse(text) as { result: Snapshot }).result;
}
