import { isOwnPicture } from './own-pictures.ts';
import { pairsOf, type SnapshotDocument } from './mirror/snapshot.ts';

/** The styles that snapshots for pictures include, for each node. */
export const pictureStyles = [
  // How broad a box is made.
  'display',
  'position',
  'float',
  'font-family',
  // What paints a box a second time, or elsewhere.
  'text-shadow',
  'filter',
  'backdrop-filter',
  '-webkit-box-reflect',
  // What makes that larger.
  'transform',
  'scale',
  'zoom',
  'perspective',
  // What shows a picture.
  'background-image',
  'mask-image',
  '-webkit-mask-box-image-source',
  'border-image-source',
  'list-style-image',
  'content',
  // What is in sight.
  'visibility',
  'opacity',
  'overflow-x',
  'overflow-y',
  'contain',
  'clip',
  'clip-path',
  // What stands above and below a line.
  'text-emphasis-style',
  'text-decoration-style',
  'text-combine-upright',
  // What parts letters.
  'letter-spacing',
  // What is set where a word breaks.
  'hyphenate-character',
] as const;
export type StyleName = (typeof pictureStyles)[number];
export const styleAt = Object.fromEntries(pictureStyles.map((name, i) => [name, i])) as Readonly<
  Record<StyleName, number>
>;

export type StringAt = (at: number | undefined) => string;

/** How far, in the page's pixels, painting may extend beyond a box; Infinity: anywhere. */
export type Reach = number;

export type Repaints = {
  /** Returns the reach of a box, by its index in the layout. */
  readonly reachOf: (place: number) => Reach;
  /** Returns whether the text has marks above or below its line. */
  readonly isMarked: (place: number) => boolean;
  /** The reach of what lies behind an element that shows it filtered (`backdrop-filter`). */
  readonly behind: Reach;
  /** The reach of what a frame shows. */
  readonly inFrames: Reach;
  /** Texts of drawings, by node, that have no box, and may be shown elsewhere. */
  readonly copied: readonly number[];
  /** Boxes that show a picture because of the page's styles. */
  readonly pictures: readonly Shown[];
};
export type Shown = { readonly place: number; readonly isAnywhere: boolean; readonly addresses: string };

/**
 * Returns where the page's styles may paint content outside its own box. `isStrict`: no picture is too small
 * to matter.
 */
export function repaintsIn(document: SnapshotDocument, stringAt: StringAt, isStrict: boolean): Repaints {
  const { nodes, layout } = document;
  const style = (place: number, name: StyleName): number => layout.styles[place]?.[styleAt[name]] ?? -1;
  const [spread, changesSize] = [remembered(stringAt, spreadOf), remembered(stringAt, isLarger)];
  const reflects = (place: number): Reach =>
    stringAt(style(place, '-webkit-box-reflect')) === 'none' ? 0 : Number.POSITIVE_INFINITY;
  const boxed = new Set(layout.nodeIndex);
  const elements = [...layout.nodeIndex.entries()].filter(([, node]) => nodes.nodeType[node] === 1);
  const upper = remembered(stringAt, (name) => name.toUpperCase());
  const nameOf = (node: number): string => upper(nodes.nodeName[node] ?? -1);

  /** A number of each node with those of all it stands in. */
  const inAll = (of: (place: number) => number): Float64Array => {
    const own = new Float64Array(nodes.parentIndex.length);
    for (const [place, node] of elements) own[node] = of(place);
    return summed(document, own, stringAt);
  };
  const spreads = inAll((place) => spread(style(place, 'filter')) + reflects(place));
  const isSized = inAll((place) => +sizing.some((name) => changesSize(style(place, name))));
  const isZoomed = inAll((place) => +!/^(|1|normal)$/.test(stringAt(style(place, 'zoom'))));
  const isWavy = inAll((place) => +(stringAt(style(place, 'text-decoration-style')) === 'wavy'));
  const isDrawing = drawings(document, nameOf);
  const isCopied = nodes.nodeName.some((_, node) => copying.has(nameOf(node)));
  const turned = turnedIn(nodes, isDrawing, stringAt);
  const isTurned = (node: number): boolean => turned.has(node);

  const reach = (node: number, more: Reach): Reach => {
    if (isDrawing.has(node) && (isCopied || isTurned(node))) return Number.POSITIVE_INFINITY;
    const far = (spreads[node] ?? 0) + more;
    return far > 0 && (isSized[node] || isDrawing.has(node)) ? Number.POSITIVE_INFINITY : far;
  };
  const reachOf = (place: number): Reach =>
    reach(layout.nodeIndex[place] ?? -1, spread(style(place, 'text-shadow')));
  const farthest = (of: (place: number, node: number) => Reach): Reach =>
    elements.reduce((far, [place, node]) => Math.max(far, of(place, node)), 0);

  return {
    reachOf,
    isMarked: (place) =>
      at(isWavy, layout.nodeIndex[place] ?? -1) > 0 ||
      ['text-emphasis-style' as const, 'text-combine-upright' as const].some(
        (name) => !/^(|none)$/.test(stringAt(style(place, name))),
      ),
    behind: farthest((place, node) => {
      const far = spread(style(place, 'backdrop-filter'));
      return far === 0 ? 0 : reach(node, far);
    }),
    // A frame is laid out in zoomed pixels, and Chromium tells of its place in others.
    inFrames: farthest((_, node) => {
      if (!framing.has(nameOf(node))) return 0;
      return isZoomed[node] ? Number.POSITIVE_INFINITY : reach(node, 0);
    }),
    copied: isCopied
      ? [...isDrawing].filter((node) => !boxed.has(node) && isLettering(nodes, node, nameOf))
      : [],
    pictures: picturesIn({ elements, style, stringAt, nameOf, isStrict }),
  };
}

/** Returns all nodes of SVG drawings, the `svg` elements included. */
function drawings({ nodes }: SnapshotDocument, nameOf: (node: number) => string): ReadonlySet<number> {
  const within = new Set<number>();
  for (const [node, parent] of nodes.parentIndex.entries())
    if (within.has(parent) || nameOf(node) === 'SVG') within.add(node);
  return within;
}

/** Letters that are turned, each by itself, are beside the box of their text. */
function turnedIn(
  { attributes, parentIndex }: SnapshotDocument['nodes'],
  drawing: ReadonlySet<number>,
  stringAt: StringAt,
): ReadonlySet<number> {
  const turned = new Set<number>();
  for (const node of drawing) {
    const names = (attributes[node] ?? []).filter((_, i) => i % 2 === 0);
    if (turned.has(parentIndex[node] ?? -1) || names.some((name) => stringAt(name) === 'rotate'))
      turned.add(node);
  }
  return turned;
}

const isLettering = (
  { nodeType, parentIndex }: SnapshotDocument['nodes'],
  node: number,
  nameOf: (node: number) => string,
): boolean =>
  nodeType[node] === 3 && !/^(TITLE|DESC|METADATA|STYLE|SCRIPT)$/.test(nameOf(parentIndex[node] ?? -1));

type Styled = {
  readonly elements: readonly (readonly [place: number, node: number])[];
  readonly style: (place: number, name: StyleName) => number;
  readonly stringAt: StringAt;
  readonly nameOf: (node: number) => string;
  readonly isStrict: boolean;
};

function picturesIn({ elements, style, stringAt, nameOf, isStrict }: Styled): Shown[] {
  const isOwn = remembered(stringAt, (value) => isOwnPicture(value, isStrict));
  return elements.flatMap(([place, node]): Shown[] => {
    const has = (name: StyleName): boolean => isOwn(style(place, name));
    const is = (name: StyleName, value: RegExp): boolean => value.test(stringAt(style(place, name)));
    const isWithin = has('background-image') || has('mask-image');
    const isLeft = /^(HTML|BODY)$/.test(nameOf(node)) || is('display', /^table-col/);
    const isOutside = outside.some(has) || (has('list-style-image') && is('display', /list-item/));
    if (!isWithin && !isOutside) return [];
    const addresses = showing.map((name) => stringAt(style(place, name))).join('\n');
    return [{ place, isAnywhere: isOutside || isLeft, addresses }];
  });
}

/** Styles whose images are not confined to the element's box. */
const outside = [
  '-webkit-mask-box-image-source',
  'border-image-source',
  'content',
  'filter',
  'backdrop-filter',
  '-webkit-box-reflect',
] as const;
const showing = ['background-image', 'mask-image', 'list-style-image', ...outside] as const;
const sizing = ['transform', 'scale', 'zoom', 'perspective'] as const;

/** SVG elements that show part of a drawing in another place. */
const copying: ReadonlySet<string> = new Set(['USE', 'PATTERN', 'MASK', 'CLIPPATH', 'MARKER', 'FEIMAGE']);
const framing: ReadonlySet<string> = new Set(['IFRAME', 'FRAME', 'OBJECT', 'EMBED', 'FENCEDFRAME']);

/**
 * Returns how far shadows and filters paint: Infinity for an SVG filter, which may do anything. A blur is
 * invisible beyond twice its radius.
 */
function spreadOf(value: string): Reach {
  if (value === '' || value === 'none') return 0;
  if (value.includes('url(')) return Number.POSITIVE_INFINITY;
  const lengths = value.match(/[\d.]+(?:e[+-]?\d+)?(?=px)/g) ?? [];
  return lengths.reduce((sum, length) => sum + 2 * Number(length), 0);
}

const isLarger = (value: string): boolean => !/^(|none|1|matrix\(1, 0, 0, 1, .*\))$/.test(value);

/** The same few values stand in most nodes. */
function remembered<T>(stringAt: StringAt, of: (value: string) => T): (at: number) => T {
  const known = new Map<number, T>();
  return (at) => {
    const found = known.get(at) ?? of(stringAt(at));
    known.set(at, found);
    return found;
  };
}

/** Adds to each node's number those of all its possible containers. */
function summed(document: SnapshotDocument, own: Float64Array, stringAt: StringAt): Float64Array {
  const [sums, inTree] = [own.slice(), inTrees(document, own, stringAt)];
  for (const [node, parent] of document.nodes.parentIndex.entries())
    if (parent >= 0) sums[node] = at(own, node) + at(sums, parent) + at(inTree, parent);
  return sums;
}

/**
 * Returns for each shadow host the largest sum along any path of its tree: the host's children are shown at
 * an unknown place in it.
 */
function inTrees({ nodes }: SnapshotDocument, own: Float64Array, stringAt: StringAt): Float64Array {
  const roots = pairsOf(nodes.shadowRootType);
  const isHost = (node: number): boolean => !roots.has(node) || stringAt(nodes.nodeName[node]).includes('-');
  const [below, inTree] = [new Float64Array(own.length), new Float64Array(own.length)];
  // Children stand after their parents.
  for (let node = own.length - 1; node > 0; node--) {
    const parent = nodes.parentIndex[node] ?? 0;
    const path = at(own, node) + at(below, node);
    below[parent] = Math.max(at(below, parent), path);
    if (roots.has(node) && isHost(parent)) inTree[parent] = Math.max(at(inTree, parent), path);
  }
  return inTree;
}

const at = (numbers: Float64Array, node: number): number => numbers[node] ?? 0;
