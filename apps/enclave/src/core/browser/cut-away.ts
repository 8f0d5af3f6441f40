import type { SnapshotDocument } from './mirror/snapshot.ts';
import { type StringAt, type StyleName, styleAt } from './repainted.ts';

/** Whether nothing is in sight of what stands in the flow of a node, or is placed in what it stands in; `perhaps`: it may be so. */
type Cut = {
  readonly flow: boolean;
  readonly absolute: boolean;
  readonly fixed: boolean;
  readonly perhaps: boolean;
};

/**
 * Nodes of which nothing is in sight since what they stand in cuts them off, as what is only read aloud: its text is as wide as it would be
 * elsewhere. A box of no size cuts off nothing by itself, and never what is placed in another one that it stands in (CSS 2.2, 11.1.1).
 * First those of which that is certain; then, where that is not the same, those too of which the browser alone knows.
 */
export function cutAwayIn({ nodes, layout }: SnapshotDocument, stringAt: StringAt): ReadonlySet<number>[] {
  const places = new Map(layout.nodeIndex.map((node, place) => [node, place]));
  const cuts: Cut[] = [];
  for (const [node, parent] of nodes.parentIndex.entries()) {
    const above = cuts[parent] ?? none;
    const place = nodes.nodeType[node] === elementNode ? places.get(node) : undefined;
    if (place === undefined) cuts.push(above);
    else {
      const [, , width = 0, height = 0] = layout.bounds[place] ?? [];
      const styleOf = (name: StyleName): string => stringAt(layout.styles[place]?.[styleAt[name]]);
      const box = { name: stringAt(nodes.nodeName[node]), styleOf, width, height };
      cuts.push(above === none && cutsNothing(box) ? none : cutIn(box, above));
    }
  }
  const where = (of: keyof Cut) =>
    new Set([...cuts.entries()].flatMap(([node, cut]) => (cut[of] ? [node] : [])));
  const [certain, possible] = [where('flow'), where('perhaps')];
  return possible.size > certain.size ? [certain, possible] : [certain];
}

const elementNode = 1;
const none: Cut = { flow: false, absolute: false, fixed: false, perhaps: false };

type Box = {
  readonly name: string;
  readonly styleOf: (name: StyleName) => string;
  readonly width: number;
  readonly height: number;
};

/** True for almost every box: nothing that its children show is clipped. */
const cutsNothing = (box: Box): boolean => !mayHide(box) && !hides(box);

function cutIn(box: Box, above: Cut): Cut {
  const position = box.styleOf('position');
  const isPlaced = position === 'absolute' || position === 'fixed';
  const isGone = isShapedAway(box, isPlaced);
  const flow = isGone || above[isPlaced ? position : 'flow'] || hides(box);
  const [isOwn, isAnyOwn] = [changes(box), position !== 'static' || changes(box)];
  return {
    flow,
    absolute: isAnyOwn ? flow : isGone || above.absolute,
    fixed: isOwn ? flow : isGone || above.fixed,
    perhaps: flow || above.perhaps || mayHide(box),
  };
}

/** A region cuts off only what is placed. */
const isShapedAway = (box: Box, isPlaced: boolean): boolean =>
  isNothing(box.styleOf('clip-path'), box) || (isPlaced && isNoRegion(box.styleOf('clip')));

/** Returns whether the box is the containing block of absolutely positioned and fixed descendants. */
const changes = ({ styleOf }: Box): boolean =>
  paints.test(styleOf('contain')) ||
  (['transform', 'scale', 'perspective', 'filter', 'backdrop-filter'] as const).some(
    (name) => styleOf(name) !== 'none',
  );
const paints = /\b(paint|content|strict)\b/;

/** Returns the `overflow` of each axis in which the box has no room. */
const overflowOf = ({ styleOf, width, height }: Box): string[] => [
  ...(width <= 1 ? [styleOf('overflow-x')] : []),
  ...(height <= 1 ? [styleOf('overflow-y')] : []),
];
const mayHide = (box: Box): boolean =>
  box.styleOf('clip-path') !== 'none' ||
  !box.styleOf('clip').startsWith('auto') ||
  overflowOf(box).some((overflow) => overflow !== 'visible');
/** Lines and rows cut off nothing, and a page's own box leaves that to the window. */
const hides = (box: Box): boolean =>
  !/^(HTML|BODY)$/i.test(box.name) &&
  !/^(inline|contents|ruby.*|table-(row|column|.*group).*)$/.test(box.styleOf('display')) &&
  overflowOf(box).some(
    (overflow) => /^(hidden|scroll|auto)$/.test(overflow) || paints.test(box.styleOf('contain')),
  );

/** `rect(0px, 0px, 0px, 0px)`, `rect(1px 1px 1px 1px)` */
function isNoRegion(clip: string): boolean {
  const sides =
    /^rect\(([^)]*)\)$/
      .exec(clip)?.[1]
      ?.split(/[\s,]+/)
      .map(Number.parseFloat) ?? [];
  const [top = Number.NaN, right = Number.NaN, bottom = Number.NaN, left = Number.NaN] = sides;
  return right - left <= 1 || bottom - top <= 1;
}

/** A longer shape is not read: what it cuts off is not certain, and a page may give it to thousands of nodes. */
const maxShape = 512;

/**
 * Returns whether a shape leaves less than a line of pixels: `inset(50%)`, `circle(0px)`, `polygon(0px 0px,
 * 0px 0px)`.
 */
function isNothing(shape: string, { width, height }: Box): boolean {
  if (shape.length > maxShape) return false;
  const [, kind, given = ''] = /^(\w+)\(([^()]*)\)$/.exec(shape) ?? [];
  if (kind === 'circle' || kind === 'ellipse') return /^0(px|%)?(\s|$)/.test(given);
  if (kind === 'inset') return isInset(given, { width, height });
  if (kind !== 'polygon') return false;
  const points = given.split(',').map((point) => point.trim().split(/\s+/));
  const room = (at: 0 | 1, whole: number): number => {
    const along = points.map((point) => lengthOf(point[at], whole));
    return Math.max(...along) - Math.min(...along);
  };
  return room(0, width) <= 1 || room(1, height) <= 1;
}

function isInset(given: string, { width, height }: Pick<Box, 'width' | 'height'>): boolean {
  const [top, right = top, bottom = top, left = right] = given.split(' round ')[0]?.trim().split(/\s+/) ?? [];
  return (
    height - lengthOf(top, height) - lengthOf(bottom, height) <= 1 ||
    width - lengthOf(left, width) - lengthOf(right, width) <= 1
  );
}

/** Returns the length in pixels; NaN for units other than pixels and percent. */
const lengthOf = (length = '', whole: number): number =>
  /^-?[\d.]+(px|%)?$/.test(length)
    ? Number.parseFloat(length) * (length.endsWith('%') ? whole / 100 : 1)
    : Number.NaN;
