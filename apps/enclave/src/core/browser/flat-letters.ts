import type { SnapshotDocument } from './mirror/snapshot.ts';
import { type StringAt, styleAt } from './repainted.ts';

type Placed = {
  readonly nodes: Pick<SnapshotDocument['nodes'], 'nodeType'>;
  readonly layout: Pick<SnapshotDocument['layout'], 'nodeIndex' | 'styles' | 'bounds'>;
};

/**
 * Places of texts that take no room: their letters stand over each other, or run out of their line. A letter that a font draws as one
 * with the letter before it (`ff`) takes none either, but is drawn where that one stands; it is none of these, since a picture must not
 * tell whether a secret has such letters.
 */
export function flatLettersIn(
  { nodes, layout }: Placed,
  texts: readonly string[],
  stringAt: StringAt,
): ReadonlySet<number> {
  const flat = new Set<number>();
  const isUsual = (place: number): boolean =>
    normal.test(stringAt(layout.styles[place]?.[styleAt['letter-spacing']]));
  let before: Before = { text: '', bounds: [], joined: 0 };
  for (const [place, node] of layout.nodeIndex.entries()) {
    if (nodes.nodeType[node] !== textNode) continue;
    const [text = '', bounds = []] = [texts[place], layout.bounds[place]];
    const isWithout = text.trim() !== '' && isFlat(bounds);
    const isRest = isWithout && rest.test(text) && isUsual(place) && isBehind(bounds, before);
    if (isWithout && !isRest) flat.add(place);
    before = { text, bounds, joined: isRest ? before.joined + 1 : 0 };
  }
  return flat;
}

type Bounds = readonly number[];
/** The text before, and how many before it are drawn as one with it. */
type Before = { readonly text: string; readonly bounds: Bounds; readonly joined: number };

const isFlat = ([, , width = 0, height = 0]: Bounds): boolean => width > 0 !== height > 0;

/**
 * Returns whether a letter follows `before` in its line. INVARIANT: the text before it must take up room;
 * otherwise a page could lay out a secret so that none of its letters does.
 */
function isBehind(bounds: Bounds, before: Before): boolean {
  if (!endsInLetter.test(before.text)) return false;
  if (isFlat(before.bounds) && before.joined !== 1) return false;
  return stands(bounds, before.bounds, 0) || stands(bounds, before.bounds, 1);
}

/** Returns whether one box begins where the other ends, along its line. */
function stands(one: Bounds, other: Bounds, along: 0 | 1): boolean {
  const isAt = (axis: 0 | 1, by: number): boolean =>
    Math.abs((one[axis] ?? 0) - (other[axis] ?? 0) - by) <= 1;
  return isAt(along, other[along + 2] ?? 0) && isAt(along === 0 ? 1 : 0, 0);
}

const textNode = 3;
/** The letters after the first in the ligatures `ff`, `fi` and `ffi`. */
const rest = /^[a-z]{1,2}$/i;
const endsInLetter = /[a-z]$/i;
/** Values of `letter-spacing` under which fonts form ligatures (CSS Text 3, 8.2). */
const normal = /^(normal|0px)$/;
