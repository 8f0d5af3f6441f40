import { asShown } from './as-shown.ts';
import { cutAwayIn } from './cut-away.ts';
import { pairsOf, type SnapshotDocument } from './mirror/snapshot.ts';
import { type StringAt, type StyleName, styleAt } from './repainted.ts';

/** Texts in an order in which they are read, and of each where it stands in the layout. */
type Order = { readonly texts: readonly string[]; readonly placesOf: (i: number) => readonly number[] };

export type TextOrders = {
  /** Places in the layout of all texts in which `find` finds any, in whatever order. */
  readonly found: (find: (texts: readonly string[]) => readonly boolean[]) => ReadonlySet<number>;
};

/**
 * Texts of a document as the copy that is read has them, and as the page shows them: numbers, signs of lists and what
 * nobody sees stand between the parts of a secret in one order, and not in another.
 */
export function textOrders(document: SnapshotDocument, stringAt: StringAt): TextOrders {
  const { nodes, layout } = document;
  const values = new Map([...pairsOf(nodes.inputValue), ...pairsOf(nodes.textValue)]);
  const pseudo = pairsOf(nodes.pseudoType);
  const places = [...layout.nodeIndex.keys()];
  const nodeAt = (place: number): number => layout.nodeIndex[place] ?? -1;
  const isOwn = (place: number): boolean => !pseudo.has(nodeAt(place));
  const isLetter = (node: number): boolean => stringAt(pseudo.get(node)) === 'first-letter';
  const isText = (node: number): boolean => nodes.nodeType[node] === textNode;
  const isSeen = seenIn(document, stringAt);

  const shown = (place: number): string => stringAt(values.get(nodeAt(place)) ?? layout.text[place]);
  const written = (node: number): string => stringAt(nodes.nodeValue[node]);
  const inLayout = (meant: readonly number[], textOf: (place: number) => string): Order => ({
    texts: meant.map(textOf),
    placesOf: (i) => [meant[i] ?? -1],
  });

  const standing = standingIn(document, isLetter);
  const inPage = [...nodes.nodeType.keys()].filter((node) => {
    const parent = nodes.parentIndex[node] ?? -1;
    return isText(node) && !pseudo.has(parent) && !unread.test(stringAt(nodes.nodeName[parent]));
  });
  const inNodes = (meant: readonly number[]): Order => ({
    texts: meant.map(written),
    placesOf: (i) => standing(meant[i] ?? -1),
  });
  const own = places.filter(isOwn);
  const above = annotationsIn(document, stringAt);
  const isAfter = (place: number): boolean => stringAt(pseudo.get(nodeAt(place))) === 'after';
  const orders = [
    inLayout(places, shown),
    ...(places.some(isAfter) ? [inLayout(asRead(document, stringAt), shown)] : []),
    inLayout(own, shown),
    inLayout(
      places.filter((place) => isOwn(place) || isLetter(nodeAt(place))),
      shown,
    ),
    inLayout(
      own.filter((place) => values.has(nodeAt(place))),
      shown,
    ),
    inNodes(inPage),
    inNodes(own.filter((place) => isText(nodeAt(place)) && isSeen(place)).map(nodeAt)),
    ...(above.size === 0 ? [] : [true, false]).map((isAbove) =>
      inLayout(
        own.filter((place) => above.has(nodeAt(place)) === isAbove),
        shown,
      ),
    ),
  ];
  const differing = alike([
    ...orders,
    ...reordered(document, places, shown),
    // What nobody sees parts nothing of what is seen.
    ...cutAwayIn(document, stringAt).flatMap((cut) => {
      const seen = own.filter((place) => isSeen(place) && !cut.has(nodeAt(place)));
      return [inLayout(seen, shown), ...reordered(document, seen, shown)];
    }),
  ]);
  return { found: foundIn(differing) };
}

const foundIn =
  (orders: readonly Order[]): TextOrders['found'] =>
  (find) =>
    new Set(
      orders.flatMap(({ texts, placesOf }) =>
        find(texts).flatMap((isFound, i) => (isFound ? placesOf(i) : [])),
      ),
    );

/** Most pages have one order; what is written alike may stand in several places. */
function alike(orders: readonly Order[]): Order[] {
  const groups = new Map<string, Order[]>();
  for (const { texts, placesOf } of orders) {
    const meant = [...texts.keys()].filter((i) => texts[i] !== '');
    const order = {
      texts: meant.map((i) => texts[i] ?? ''),
      placesOf: (i: number) => placesOf(meant[i] ?? -1),
    };
    const key = order.texts.join('\0');
    groups.set(key, [...(groups.get(key) ?? []), order]);
  }
  return [...groups.values()].map((group) => ({
    texts: group[0]?.texts ?? [],
    placesOf: (i) => group.flatMap((order) => order.placesOf(i)),
  }));
}

/**
 * The orders in which they stand on the page, where these are others than that of the page. Longer texts are no parts that somebody reads
 * as one; what stands between such parts still parts them.
 */
function reordered(
  { layout }: SnapshotDocument,
  all: readonly number[],
  textAt: (place: number) => string,
): Order[] {
  const places = all.filter((place) => textAt(place).trim() !== '');
  const { inLines, inColumns } = asShown(places, (place) => layout.bounds[place] ?? []);
  const cut = (order: readonly number[], isPart: (text: string) => boolean): Order => {
    const isLonger = (place: number | undefined): boolean => place !== undefined && !isPart(textAt(place));
    const meant = order.filter((place, i) => !isLonger(place) || !isLonger(order[i - 1]));
    return {
      texts: meant.map((place) => (isLonger(place) ? longer : textAt(place))),
      placesOf: (i) => [meant[i] ?? -1],
    };
  };
  const isOther = (order: readonly number[]): boolean => order.some((place, i) => place !== places[i]);
  return [
    ...(isOther(inLines) ? [cut(inLines, isInLine)] : []),
    ...(isOther(inColumns) ? [cut(inColumns, isInColumn)] : []),
  ];
}

/** Limits the pieces in which a secret is looked for along a line, in characters. */
const isInLine = (text: string): boolean => text.length <= 48;
/** Words are read along lines, and numbers in columns are many. */
const isInColumn = (text: string): boolean => text.length <= 4 && !/^\s*\d{2,}\s*$/.test(text);
const longer = 'longer';

const textNode = 3;
const unread = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|TITLE)$/i;

/** Places as they are read: Chromium tells of what stands after the text of an element before it tells of that text. */
function asRead({ nodes, layout }: SnapshotDocument, stringAt: StringAt): number[] {
  const pseudo = pairsOf(nodes.pseudoType);
  const children = new Map<number, number[]>();
  for (const [node, parent] of nodes.parentIndex.entries()) {
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [node]);
    else known.push(node);
  }
  const isAfter = (node: number): boolean => stringAt(pseudo.get(node)) === 'after';
  const read = new Map<number, number>();
  const waiting = [...(children.get(-1) ?? [])].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    read.set(node, read.size);
    const below = children.get(node) ?? [];
    const inOrder = [...below.filter((one) => !isAfter(one)), ...below.filter(isAfter)];
    waiting.push(...inOrder.reverse());
  }
  const rank = (place: number): number => read.get(layout.nodeIndex[place] ?? -1) ?? 0;
  return [...layout.nodeIndex.keys()].sort((one, next) => rank(one) - rank(next));
}

/**
 * Returns the nodes of ruby annotations, which are drawn above or below their text and so interleave with it.
 */
function annotationsIn({ nodes }: SnapshotDocument, stringAt: StringAt): ReadonlySet<number> {
  const within = new Set<number>();
  for (const [node, parent] of nodes.parentIndex.entries())
    if (within.has(parent) || /^R[TP]$/i.test(stringAt(nodes.nodeName[node]))) within.add(node);
  return within;
}

/**
 * Returns the layout boxes of each text, including its container's `::first-letter`, which has a box of its
 * own.
 */
function standingIn({ nodes, layout }: SnapshotDocument, isLetter: (node: number) => boolean) {
  const places = new Map<number, number[]>();
  const add = (node: number, place: number): void => {
    const known = places.get(node);
    if (known === undefined) places.set(node, [place]);
    else known.push(place);
  };
  const letters = new Map<number, number[]>();
  for (const [place, node] of layout.nodeIndex.entries()) {
    add(node, place);
    const parent = nodes.parentIndex[node] ?? -1;
    if (isLetter(node)) letters.set(parent, [...(letters.get(parent) ?? []), place]);
  }
  return (node: number): readonly number[] => {
    const found = [...(places.get(node) ?? [])];
    if (letters.size === 0) return found;
    for (let at = nodes.parentIndex[node] ?? -1; at >= 0; at = nodes.parentIndex[at] ?? -1)
      found.push(...(letters.get(at) ?? []));
    return found;
  };
}

/** Returns whether what stands at a place is in sight. */
function seenIn({ nodes, layout }: SnapshotDocument, stringAt: StringAt): (place: number) => boolean {
  const styleOf = (place: number, name: StyleName): string => stringAt(layout.styles[place]?.[styleAt[name]]);
  const clear = new Set<number>();
  for (const [place, node] of layout.nodeIndex.entries())
    if (styleOf(place, 'opacity') === '0') clear.add(node);
  if (clear.size > 0)
    for (const [node, parent] of nodes.parentIndex.entries()) if (clear.has(parent)) clear.add(node);
  return (place) => {
    const [, , width = 0, height = 0] = layout.bounds[place] ?? [];
    const isShown = styleOf(place, 'visibility') === 'visible' && !clear.has(layout.nodeIndex[place] ?? -1);
    return isShown && width > 1 && height > 1;
  };
}
