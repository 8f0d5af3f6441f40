import type { Cookie } from '../../session/withheld/cookie.ts';
import { maskAddress } from '@countersign/review/mask-address';
import { appearances } from './appearance.ts';
import { type Snapshot, type SnapshotDocument, pairsOf, readSnapshot } from './snapshot.ts';
import { type Attribute, type Draft, type DraftNode, type MaskedPage, nodeKinds } from './draft.ts';
import { masked } from './masked.ts';
import { sourceOf } from './source.ts';

/** A frame that may be copied; of one in a process of its own, which element of its parent shows it. */
export type CopiedFrame = {
  readonly id: string;
  readonly parentId: string | null;
  /** Null where its parent's snapshot says it. */
  readonly ownerNodeId: number | null;
};

export type CopyRequest = {
  /** Answers of `DOMSnapshot.captureSnapshot` as Chromium wrote them, that of the page first. */
  readonly snapshots: readonly Uint8Array[];
  /** Outer ones first. What is not in the list is not copied. */
  readonly frames: readonly CopiedFrame[];
  /** The `name` of the copy that the mirror shows; absent: of none that is known. */
  readonly shown?: string | undefined;
  /** Those by which sites know the browser. */
  readonly cookies?: readonly Cookie[];
};

/**
 * A page without its secrets. Each node that was copied has a number, its place; places of one document follow each other.
 */
export type PageCopy = {
  /**
   * Builds the copy in the mirror: the text of a JavaScript expression, escaped for a JSON string. Where the mirror shows
   * another one as asked, it makes that one into this, and is empty where it is this one already.
   */
  readonly source: Uint8Array;
  /** Two of the same name are the same copy; absent where nobody keeps copies. */
  readonly name?: string;
  /** By place, Chromium's backend node id of the node in the page itself. */
  readonly nodeIds: Int32Array;
  readonly documents: readonly { readonly frameId: string; readonly first: number }[];
  /** Masked. */
  readonly url: string;
};

/** Takes secrets out of texts that stand beside each other; as many come back, '' for what only goes on with a secret. */
export type MaskTexts = (texts: readonly string[], url: string) => readonly string[];

/** More nodes than any page that a person reads; what is over is a page of its own making. */
export const maxNodes = 100_000;

export class PageTooLarge extends Error {
  override readonly name = 'PageTooLarge';
}

/** Copies a page. */
export const copyPage = (request: CopyRequest, mask: MaskTexts): PageCopy => {
  const page = maskedPage(request, mask);
  return { ...foundIn(page), source: sourceOf(page) };
};

/** Hears all that a document says before any of it is masked, the names and values of its attributes and fields as in an address. */
type NoteTexts = (texts: readonly string[], url: string) => void;

/** Every text of a page goes through `mask`, once all of them went through `note`. */
export function maskedPage(
  { snapshots, frames }: CopyRequest,
  mask: MaskTexts,
  note: NoteTexts = () => {},
): MaskedPage {
  const wanted = new Map(frames.map((frame) => [frame.id, frame]));
  const sources = snapshots.flatMap(documentsOf).filter(({ frameId }) => wanted.has(frameId));
  const nodes = sources.reduce((sum, { document }) => sum + document.nodes.nodeType.length, 0);
  if (nodes > maxNodes) throw new PageTooLarge();
  const [address = ''] = sources.map((source) => source.url);
  const read = sources.map((source) => ({
    draft: draftOf(source),
    url: addressOf(source, sources, wanted),
  }));
  note([address], address);
  for (const { draft, url } of read) note(saidIn(draft), url);
  const drafts = read.map(({ draft, url }) => masked(draft, (texts) => mask(texts, url)));
  const numbers = new Map(sources.map(({ frameId }, i) => [frameId, i]));
  return {
    drafts,
    shown: drafts.map((draft, i) => shownIn(draft, i, sources, wanted, numbers)),
    frameIds: sources.map(({ frameId }) => frameId),
    url: maskAddress(address, (text) => mask([text], address)[0] ?? ''),
  };
}

/** Maps places of the copy back to nodes of the page. */
export function foundIn({
  drafts,
  frameIds,
  url,
}: MaskedPage): Pick<PageCopy, 'nodeIds' | 'documents' | 'url'> {
  let first = 0;
  return {
    nodeIds: Int32Array.from(drafts.flatMap(({ nodeIds }) => nodeIds)),
    documents: drafts.map(({ nodeIds }, i) => {
      const place = first;
      first += nodeIds.length;
      return { frameId: frameIds[i] ?? '', first: place };
    }),
    url,
  };
}

type Source = {
  readonly snapshot: Snapshot;
  readonly document: SnapshotDocument;
  readonly frameId: string;
  readonly url: string;
  /** Frames of the same snapshot, by their number in it. */
  readonly siblings: readonly string[];
};

function documentsOf(bytes: Uint8Array): Source[] {
  const snapshot = readSnapshot(bytes);
  const textAt = (place: number): string => snapshot.strings[place] ?? '';
  const siblings = snapshot.documents.map(({ frameId }) => textAt(frameId));
  return snapshot.documents.map((document, i) => ({
    snapshot,
    document,
    frameId: siblings[i] ?? '',
    url: textAt(document.documentURL),
    siblings,
  }));
}

function draftOf({ snapshot: { strings }, document }: Source): Draft {
  const { nodes } = document;
  const textAt: TextAt = (place) => strings[place ?? -1] ?? '';
  const values = new Map([...pairsOf(nodes.inputValue), ...pairsOf(nodes.textValue)]);
  const { kept, places } = placesOf(document, textAt);
  const drafted = kept.map(({ node, kind, parent }): DraftNode => {
    if (node < 0) return { kind, parent, text: '', attributes: [], value: null };
    const isElement = kind === nodeKinds.element || kind === nodeKinds.foreign;
    return {
      kind,
      parent,
      text: textAt(isElement ? nodes.nodeName[node] : nodes.nodeValue[node]),
      attributes: isElement ? attributesOf(nodes.attributes[node] ?? [], textAt) : [],
      value: values.has(node) ? textAt(values.get(node)) : null,
    };
  });
  const placed = (list: readonly number[] = []) =>
    list.map((node) => places[node] ?? -1).filter((place) => place >= 0);
  const numbers = kept.map(({ node }) => node);
  const { seen, styles } = appearances(document, strings, {
    kept: numbers,
    places,
    names: drafted.map(({ text }) => text),
  });
  return {
    nodes: drafted,
    nodeIds: numbers.map((node) => nodes.backendNodeId[node] ?? 0),
    seen,
    styles,
    checked: placed(nodes.inputChecked?.index),
    selected: placed(nodes.optionSelected?.index),
    inner: [...pairsOf(nodes.contentDocumentIndex)].map(
      ([node, number]) => [places[node] ?? -1, number] as const,
    ),
  };
}

type TextAt = (place: number | undefined) => string;

/** A node to be copied; `node` is its number in the snapshot, -1 for a shadow root, of which a snapshot does not tell. */
type KeptNode = { readonly node: number; readonly kind: number; readonly parent: number };

/** Which nodes are copied, in order, and the place of each by its number; -1 for what is left out, with all that is in it. */
function placesOf({ nodes }: SnapshotDocument, textAt: TextAt) {
  const [roots, pseudo] = [pairsOf(nodes.shadowRootType), pairsOf(nodes.pseudoType)];
  const places = new Int32Array(nodes.nodeType.length).fill(-1);
  const kept: KeptNode[] = [];
  const rootPlaces = new Map<number, number>();
  const isHost = (node: number): boolean => !roots.has(node) || textAt(nodes.nodeName[node]).includes('-');
  const placeOf = (node: number): number => places[node] ?? -1;
  /** The place of the shadow root of an element. */
  const rootOf = (host: number, type: string): number => {
    const known = rootPlaces.get(host);
    if (known !== undefined) return known;
    const kind = type === 'closed' ? nodeKinds.closedRoot : nodeKinds.openRoot;
    const place = kept.push({ node: -1, kind, parent: placeOf(host) }) - 1;
    rootPlaces.set(host, place);
    return place;
  };
  for (const [node, type] of nodes.nodeType.entries()) {
    const parent = nodes.parentIndex[node] ?? -1;
    const root = textAt(roots.get(node));
    const kind = kindOf(type, textAt(nodes.nodeName[node]));
    const isOwn = root !== 'user-agent' && !pseudo.has(node);
    if (kind === null || !isOwn || (parent >= 0 && placeOf(parent) === -1)) continue;
    const above = root !== '' && isHost(parent) ? rootOf(parent, root) : placeOf(parent);
    places[node] = kept.push({ node, kind, parent: above }) - 1;
  }
  return { kept, places };
}

/** What `note` hears of a document. */
function saidIn({ nodes }: Draft): string[] {
  return nodes.flatMap(({ text, attributes }) => {
    const own = new Map(attributes);
    const name = own.get('name') ?? own.get('property');
    const isHidden = own.get('type') === 'hidden' || own.has('content');
    const value = name === undefined || !isHidden ? undefined : (own.get('value') ?? own.get('content'));
    const pairs = attributes.map(([called, said]) => `${called}="${said}"`);
    return [text, ...pairs, ...(value ? [`${name}="${value}"`] : [])];
  });
}

function kindOf(type: number, name: string): number | null {
  if (type === 1) return /[a-z]/.test(name) ? nodeKinds.foreign : nodeKinds.element;
  if (type === 9) return nodeKinds.document;
  return type === nodeKinds.text || type === nodeKinds.comment ? type : null;
}

function attributesOf(flat: readonly number[], textAt: TextAt): Attribute[] {
  const attributes: Attribute[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) attributes.push([textAt(flat[i]), textAt(flat[i + 1])]);
  return attributes;
}

/** Returns the document's address; for one without an address of its own, that of its creator. */
function addressOf(
  { frameId, url }: Source,
  sources: readonly Source[],
  frames: ReadonlyMap<string, CopiedFrame>,
): string {
  const parent = sources.find((one) => one.frameId === frames.get(frameId)?.parentId);
  return /^https?:/.test(url) || parent === undefined ? url : addressOf(parent, sources, frames);
}

/** Which elements of a document show which others, as far as these are copied. */
function shownIn(
  draft: Draft,
  own: number,
  sources: readonly Source[],
  wanted: ReadonlyMap<string, CopiedFrame>,
  numbers: ReadonlyMap<string, number>,
): number[] {
  const source = sources[own];
  const shown = new Map<number, number>();
  for (const [place, number] of draft.inner) {
    const copied = numbers.get(source?.siblings[number] ?? '');
    if (place >= 0 && copied !== undefined) shown.set(place, copied);
  }
  for (const { id, parentId, ownerNodeId } of wanted.values()) {
    const copied = numbers.get(id);
    const place = ownerNodeId === null ? -1 : draft.nodeIds.indexOf(ownerNodeId);
    if (parentId === source?.frameId && copied !== undefined && place >= 0) shown.set(place, copied);
  }
  return [...shown].flat();
}
