import type { SnapshotDocument } from './mirror/snapshot.ts';

type Range = { readonly from: number; readonly to: number };

/**
 * How high what stands in one line with a place reaches: a button with padding, a picture beside it. Where each of these ends tells how
 * broad what stands in or before it is.
 */
export function lineHeights(
  { nodes, layout }: SnapshotDocument,
  displayOf: (place: number) => string,
  nameOf: (node: number) => string,
): (place: number) => Range {
  const isInline = new Set(layout.nodeIndex.filter((_, place) => displayOf(place).startsWith('inline')));
  /** For each node, the block whose lines it is laid out in. */
  const roots: number[] = [];
  for (const parent of nodes.parentIndex)
    roots.push(isInline.has(parent) ? (roots[parent] ?? parent) : parent);
  const rangeOf = (place: number): Range => {
    const [, y = 0, , height = 0] = layout.bounds[place] ?? [];
    return { from: y, to: y + height };
  };
  const isWhole = (place: number): boolean =>
    displayOf(place).startsWith('inline-') || replaced.has(nameOf(layout.nodeIndex[place] ?? -1));
  const inLines = new Map<number, number[]>();
  for (const [place, node] of layout.nodeIndex.entries()) {
    if (!isInline.has(node)) continue;
    const known = inLines.get(roots[node] ?? -1);
    if (known === undefined) inLines.set(roots[node] ?? -1, [place]);
    else known.push(place);
  }

  return (place) => {
    const own = rangeOf(place);
    const isBeside = (other: number): boolean => {
      const range = rangeOf(other);
      const height = Math.min(own.to - own.from, range.to - range.from);
      if (!isWhole(other) && range.to - range.from > maxLines * (own.to - own.from)) return false;
      return Math.min(own.to, range.to) - Math.max(own.from, range.from) >= height / 2;
    };
    const beside = (inLines.get(roots[layout.nodeIndex[place] ?? -1] ?? -1) ?? []).filter(isBeside);
    return beside
      .map(rangeOf)
      .reduce((all, { from, to }) => ({ from: Math.min(all.from, from), to: Math.max(all.to, to) }), own);
  };
}

/** A taller box that is not a replaced element holds more than one line. */
const maxLines = 3;
const replaced: ReadonlySet<string> = new Set(
  'IMG SVG CANVAS VIDEO IFRAME OBJECT EMBED BUTTON INPUT SELECT TEXTAREA METER PROGRESS'.split(' '),
);
