/** What `DOMSnapshot.captureSnapshot` gives, as far as it is read: numbers are places in `strings`, -1 for none. */
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
    /** Of each node, names and values in turn. */
    readonly attributes: readonly (readonly number[])[];
    readonly shadowRootType?: Sparse;
    readonly textValue?: Sparse;
    readonly inputValue?: Sparse;
    readonly inputChecked?: { readonly index: readonly number[] };
    readonly optionSelected?: { readonly index: readonly number[] };
    readonly contentDocumentIndex?: Sparse;
    readonly pseudoType?: Sparse;
    /** What a picture shows of what it may choose from. */
    readonly currentSourceURL?: Sparse;
  };
  readonly layout: {
    readonly nodeIndex: readonly number[];
    /** Of each, the values of the styles that were asked for; of a text, those of what it stands in. */
    readonly styles: readonly (readonly number[])[];
    readonly bounds: readonly (readonly number[])[];
    readonly text: readonly number[];
  };
};

/** What decides about the text that a page shows, beside what browsers assume. */
export const copiedStyles = [
  'display',
  'visibility',
  'opacity',
  'text-transform',
  'white-space-collapse',
] as const;

export const pairsOf = (sparse: Sparse | undefined): Map<number, number> =>
  new Map((sparse?.index ?? []).map((node, i) => [node, sparse?.value[i] ?? -1]));

/** As Chromium wrote it, read where it stands: a copy of its bytes would be left behind. */
export function readSnapshot({ buffer, byteOffset, byteLength }: Uint8Array): Snapshot {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  return (JSON.parse(text) as { result: Snapshot }).result;
}
