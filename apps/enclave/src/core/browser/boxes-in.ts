import { flatLettersIn } from './flat-letters.ts';
import { lineHeights } from './line-heights.ts';
import type { MaskTexts } from './mirror/copy.ts';
import { pairsOf, readSnapshot, type Snapshot, type SnapshotDocument } from './mirror/snapshot.ts';
import { isInline } from './own-pictures.ts';
import type { Box } from './png.ts';
import {
  type Reach,
  type Repaints,
  repaintsIn,
  styleAt,
  type StringAt,
  type StyleName,
} from './repainted.ts';
import { textOrders } from './text-orders.ts';

/** The areas of a frame's document that show secrets, in the coordinates of the frame's view. */
export type FrameBoxes = {
  readonly frameId: string;
  readonly scroll: { readonly x: number; readonly y: number };
  readonly boxes: readonly Box[];
  /** Lists of families in which texts of them are set. */
  readonly fonts: readonly string[];
};

/** More than any picture, wherever in it its frame stands. */
export const anywhere: Box = { x: -1e7, y: -1e7, width: 2e7, height: 2e7 };

/** Texts of a page in which secrets are masked; `secrets` alone masks no names of accounts, which pages show everywhere. */
export type Masks = { readonly all: MaskTexts; readonly secrets: MaskTexts };

/**
 * Of each document of a page, as Chromium wrote its snapshots, where secrets stand. What has no text counts where the page
 * was given one (`isGiven`) or shows one: it may be drawn there, too.
 */
export function boxesIn(snapshots: readonly Uint8Array[], masks: Masks, isGiven: boolean): FrameBoxes[] {
  const documents = snapshots.flatMap((bytes) => documentsOf(readSnapshot(bytes), masks, isGiven));
  const isShown = () => documents.some(({ found, hasSecret }) => found.length > 0 && hasSecret());
  const isDrawing = documents.some(({ drawn }) => drawn.length > 0) && (isGiven || isShown());
  const [behind, inFrames] = [
    Math.max(0, ...documents.map((document) => document.behind)),
    Math.max(0, ...documents.map((document) => document.inFrames)),
  ];
  return documents.map(({ frameId, scroll, found, drawn, fonts }, i) => {
    // How large a frame shows what is in it, its page alone knows.
    const more = i > 0 && behind + inFrames > 0 ? Number.POSITIVE_INFINITY : behind;
    const all = isDrawing ? [...found, ...drawn] : found;
    return { frameId, scroll, fonts, boxes: all.map(({ box, reach }) => around(box, reach + more)) };
  });
}

function around({ x, y, width, height }: Box, reach: Reach): Box {
  if (reach > maxReach) return anywhere;
  return { x: x - reach, y: y - reach, width: width + 2 * reach, height: height + 2 * reach };
}
const maxReach = 1e6;

type Painted = { readonly box: Box; readonly reach: Reach };
const everywhere: Painted = { box: anywhere, reach: 0 };

/** The parts of one document that show secrets, and those that show something other than text. */
type Looked = Omit<FrameBoxes, 'boxes'> & {
  readonly found: readonly Painted[];
  readonly drawn: readonly Painted[];
  readonly behind: Reach;
  readonly inFrames: Reach;
  /** Returns whether any is more than the name of an account. */
  readonly hasSecret: () => boolean;
};

function documentsOf({ strings, documents }: Snapshot, masks: Masks, isGiven: boolean): Looked[] {
  const [address = ''] = documents.map(({ documentURL }) => strings[documentURL] ?? '');
  return documents.map((document) => {
    const own = strings[document.documentURL] ?? '';
    const url = /^https?:/.test(own) ? own : address;
    const finds = (mask: MaskTexts) => (texts: readonly string[]) =>
      mask(texts, url).map((text, i) => text !== texts[i]);
    const stringAt: StringAt = (at) => strings[at ?? -1] ?? '';
    const repaints = repaintsIn(document, stringAt, isGiven);
    return lookAt({
      document,
      stringAt,
      repaints,
      find: finds(masks.all),
      findSecrets: finds(masks.secrets),
    });
  });
}

type Find = (texts: readonly string[]) => readonly boolean[];

type Looking = {
  readonly document: SnapshotDocument;
  readonly stringAt: StringAt;
  readonly repaints: Repaints;
  readonly find: Find;
  readonly findSecrets: Find;
};

function lookAt({ document, stringAt, repaints, find, findSecrets }: Looking): Looked {
  const { layout, nodes, scrollOffsetX = 0, scrollOffsetY = 0 } = document;
  const values = new Map([...pairsOf(nodes.inputValue), ...pairsOf(nodes.textValue)]);
  const texts = layout.nodeIndex.map((node, i) => stringAt(values.get(node) ?? layout.text[i]));
  const attributes = layout.nodeIndex.map((node) => attributesOf(nodes.attributes[node] ?? [], stringAt));
  const [choices, sources] = [choicesIn(nodes, stringAt), pairsOf(nodes.currentSourceURL)];
  const hyphenOf = (i: number): string => stringAt(layout.styles[i]?.[styleAt['hyphenate-character']]);
  const others = layout.nodeIndex.map(
    (node, i) => `${attributes[i]?.text ?? ''}\n${choices.get(node) ?? ''}\n${hyphenOf(i)}`,
  );
  const orders = textOrders(document, stringAt);
  const [inTexts, inOthers] = [orders.found(find), find(others)];
  const inline = attributes.flatMap((one) => one.inline);
  const telling = foundIn([...inline, ...repaints.pictures.map(({ addresses }) => addresses)], find);
  const isTold = (i: number): boolean => attributes[i]?.inline.some((one) => telling.has(one)) === true;
  const isDrawn = (i: number): boolean => {
    const name = stringAt(nodes.nodeName[layout.nodeIndex[i] ?? -1]).toUpperCase();
    const chosen = stringAt(sources.get(layout.nodeIndex[i] ?? -1));
    return opaque.has(name) || (pictures.has(name) && (attributes[i]?.isOwn === true || isInline(chosen)));
  };
  const boxOf = boxesOf(document, stringAt);
  const flat = flatLettersIn(document, texts, stringAt);
  /** Returns the height of the line: Chromium does not report where emphasis marks are drawn. */
  const marksOf = (i: number): Reach => (repaints.isMarked(i) ? (layout.bounds[i]?.[3] ?? 0) : 0);
  const painted = (i: number): Painted =>
    flat.has(i) ? everywhere : { box: boxOf(i), reach: repaints.reachOf(i) + marksOf(i) };
  const places = [...layout.bounds.keys()];
  const found = places.filter((i) => inTexts.has(i) || inOthers[i] === true || isTold(i));
  const isCopied = find(repaints.copied.map((node) => stringAt(nodes.nodeValue[node]))).includes(true);
  const isInFilter = drawsInFilter(nodes, stringAt);
  const styled = repaints.pictures.map(({ place, isAnywhere }) => shownAt(painted(place), isAnywhere));
  return {
    frameId: stringAt(document.frameId),
    scroll: { x: scrollOffsetX, y: scrollOffsetY },
    fonts: [...new Set(found.map((i) => stringAt(layout.styles[i]?.[styleAt['font-family']])))],
    found: [
      ...found.map(painted),
      ...styled.filter((_, i) => telling.has(repaints.pictures[i]?.addresses ?? '')),
      ...(isCopied ? [everywhere] : []),
    ],
    drawn: [...places.filter(isDrawn).map(painted), ...styled, ...(isInFilter ? [everywhere] : [])],
    behind: repaints.behind,
    inFrames: repaints.inFrames,
    hasSecret: () =>
      orders.found(findSecrets).size > 0 ||
      [others, [...new Set(inline)]].some((texts) => findSecrets(texts).includes(true)),
  };
}

/** Gives the box of the whole line in which a node stands, in the view. */
function boxesOf(document: SnapshotDocument, stringAt: StringAt): (i: number) => Box {
  const { layout, nodes, scrollOffsetX = 0, scrollOffsetY = 0 } = document;
  const across = linesOf(document, stringAt);
  const heightOf = lineHeights(
    document,
    (i) => stringAt(layout.styles[i]?.[styleAt.display]),
    (node) => stringAt(nodes.nodeName[node]).toUpperCase(),
  );
  return (i) => {
    const [x = 0, , width = 0] = layout.bounds[i] ?? [];
    const [left = x, , breadth = width] = across(layout.nodeIndex[i] ?? -1);
    const [from, to] = [Math.min(x, left), Math.max(x + width, left + breadth)];
    const line = heightOf(i);
    return {
      x: from - scrollOffsetX,
      y: line.from - scrollOffsetY,
      width: to - from,
      height: line.to - line.from,
    };
  };
}

const drawsInFilter = ({ attributes, nodeName }: SnapshotDocument['nodes'], stringAt: StringAt): boolean =>
  attributes.some(
    (own, node) => stringAt(nodeName[node]).toUpperCase() === 'FEIMAGE' && attributesOf(own, stringAt).isOwn,
  );

/** Those in which there are some. Each is looked at once: pages say one picture, which may be long, many times. */
function foundIn(texts: readonly string[], find: Find): ReadonlySet<string> {
  const distinct = [...new Set(texts)];
  const found = find(distinct);
  return new Set(distinct.filter((_, i) => found[i] === true));
}

const shownAt = ({ box, reach }: Painted, isAnywhere: boolean): Painted => ({
  box,
  reach: isAnywhere ? Number.POSITIVE_INFINITY : reach,
});

/**
 * Of a node, the bounds of what its line stands in and which is as broad whatever it shows: a box as broad as a secret would
 * tell how long it is, and so would what stands beside it.
 */
function linesOf({ layout, nodes }: SnapshotDocument, stringAt: StringAt) {
  const boxes = new Map(layout.nodeIndex.map((node, i) => [node, i]));
  const styleOf = (node: number, name: StyleName): string =>
    stringAt(layout.styles[boxes.get(node) ?? -1]?.[styleAt[name]]);
  const isBroad = (node: number): boolean => {
    if (isField(node)) return true;
    return (
      nodes.nodeType[node] !== textNode &&
      /^(block|list-item|flow-root|flex|grid)$/.test(styleOf(node, 'display')) &&
      !/flex|grid/.test(styleOf(nodes.parentIndex[node] ?? -1, 'display')) &&
      /^(static|relative|sticky)$/.test(styleOf(node, 'position')) &&
      styleOf(node, 'float') === 'none'
    );
  };
  const isField = (node: number): boolean => {
    const name = stringAt(nodes.nodeName[node]).toUpperCase();
    const { kind } = attributesOf(nodes.attributes[node] ?? [], stringAt);
    return name === 'TEXTAREA' || (name === 'INPUT' && !buttons.has(kind));
  };
  return (node: number): readonly number[] => {
    let at = node;
    while (at >= 0 && !isBroad(at)) at = nodes.parentIndex[at] ?? -1;
    return layout.bounds[boxes.get(at) ?? -1] ?? [];
  };
}

const textNode = 3;
/** Fields that are as broad as what they say. */
const buttons: ReadonlySet<string> = new Set(['button', 'submit', 'reset', 'image']);

/**
 * Returns the options' text of each `select`, by node: a `select` shows some of it, and that text has no box
 * of its own.
 */
function choicesIn(nodes: SnapshotDocument['nodes'], stringAt: StringAt): Map<number, string> {
  const choices = new Map<number, string>();
  const selects = new Map<number, number>();
  for (const [node, parent] of nodes.parentIndex.entries()) {
    const isSelect = stringAt(nodes.nodeName[node]).toUpperCase() === 'SELECT';
    const select = isSelect ? node : selects.get(parent);
    if (select === undefined) continue;
    selects.set(node, select);
    const { text, inline } = attributesOf(nodes.attributes[node] ?? [], stringAt);
    const shown = [choices.get(select) ?? '', stringAt(nodes.nodeValue[node]), text, ...inline];
    choices.set(select, shown.join('\n'));
  }
  return choices;
}

/** Elements that draw pixels instead of text; a page can draw anything in them. */
const opaque: ReadonlySet<string> = new Set(['CANVAS', 'VIDEO', 'OBJECT', 'EMBED']);
/** These as far as they show what the page itself has made. */
const pictures: ReadonlySet<string> = new Set(['IMG', 'IMAGE', 'INPUT']);

/** Attributes of which browsers paint the text. */
const painted: ReadonlySet<string> = new Set(['placeholder', 'alt', 'value', 'label']);
const addresses: ReadonlySet<string> = new Set(['src', 'srcset', 'href', 'xlink:href']);

function attributesOf(attributes: readonly number[], stringAt: StringAt) {
  const [texts, inline]: [string[], string[]] = [[], []];
  let kind = '';
  for (let i = 0; i < attributes.length; i += 2) {
    const [name, value] = [stringAt(attributes[i]).toLowerCase(), stringAt(attributes[i + 1])];
    if (painted.has(name)) texts.push(value);
    if (name === 'type') kind = value.toLowerCase();
    // A picture that says the secret in its address shows it.
    if (addresses.has(name) && isInline(value)) inline.push(value);
  }
  return { text: texts.join('\n'), kind, inline, isOwn: inline.length > 0 };
}
