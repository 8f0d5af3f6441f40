import {
  comparedAs,
  flag,
  folded,
  type FormIndex,
  type FormTable,
  gapBefore,
  hashOf,
  longAnchor,
  minBytesForGaps,
  slotOf,
} from './form-index.ts';
import { minSecret } from './forms.ts';
import { readingsOf } from './readings.ts';
import { holdsSpace, withoutSigns } from './skeleton.ts';
import type { View } from './view.ts';

/** A part of the source, in bytes, the end exclusive. */
export type Span = { readonly start: number; readonly end: number };

/**
 * A match. `core` is the part that belongs to the match alone: base64 characters at its ends also hold bits
 * of its neighbours.
 */
export type Found = Span & { readonly core: Span };

/** Returns where any form occurs in any of the usual encodings. Spans may overlap. */
export function findForms(source: Uint8Array, ...indexes: readonly FormIndex[]): Found[] {
  const some = indexes.filter(({ longest }) => longest > 0);
  if (some.length === 0) return [];
  const hasGroups = some.some(groupsOf);
  const found: Found[] = [];
  for (const view of readingsOf(source)) {
    const groups = hasGroups ? withoutSigns(view) : view;
    for (const index of some) {
      findIn(view, index.long, index.short, (match) => {
        if (gapsAreMeant(view, match, source, false)) note(found, spanOf(view, match));
      });
      if (!groupsOf(index)) continue;
      findIn(groups, index.longGrouped, index.shortGrouped, (match) => {
        const isNumber = (match.bits & flag.isWord) === 0;
        if (isNumber || gapsAreMeant(groups, match, source, true)) note(found, spanOf(groups, match));
      });
    }
  }
  return found;
}

const groupsOf = ({ longGrouped, shortGrouped }: FormIndex): boolean =>
  longGrouped.lengths.length + shortGrouped.lengths.length > 0;

/** Notes a match unless it lies inside the last one, which covers it. */
function note(found: Found[], one: Found): void {
  const last = found.at(-1);
  if (last === undefined || one.start < last.core.start || one.end > last.core.end) found.push(one);
}

/** A form that stands in a view, in bytes of it, with its flags. */
type Match = { readonly at: number; readonly length: number; readonly bits: number };
type Hear = (match: Match) => void;

/**
 * Scans once, however many forms there are, over a sliding window of the last eight bytes, kept as two words.
 */
function findIn({ bytes }: View, long: FormTable, short: FormTable, hear: Hear): void {
  for (const { crowd, crowdGaps } of [long, short])
    crowd?.(bytes, (end, size) => {
      hear({ at: end + 1 - size, length: size, bits: crowdGaps });
    });
  let [before, last] = [0, 0];
  const { length } = bytes;
  const [longFilter, shortFilter] = [long.filter, short.filter];
  for (let i = 0; i < length; i++) {
    before = (before << 8) | (last >>> 24);
    last = (last << 8) | (folded[bytes[i] ?? 0] ?? 0);
    if (longFilter.length > 0) {
      const hash = hashOf(before, last);
      if (longFilter[slotOf(hash, longFilter.length)] === 1)
        tryAt(bytes, long, hash, i + 1 - longAnchor, hear);
    }
    if (shortFilter.length > 0) {
      const hash = hashOf(0, last);
      if (shortFilter[slotOf(hash, shortFilter.length)] === 1)
        tryAt(bytes, short, hash, i + 1 - minSecret, hear);
    }
  }
}

function tryAt(bytes: Uint8Array, table: FormTable, hash: number, anchor: number, hear: Hear): void {
  const { heads, next, anchors } = table;
  for (let form = heads[slotOf(hash, heads.length)] ?? -1; form >= 0; form = next[form] ?? -1) {
    const at = anchor - (anchors[form] ?? 0);
    if (standsAt(bytes, table, form, at))
      hear({ at, length: table.lengths[form] ?? 0, bits: table.flags[form] ?? 0 });
  }
}

function standsAt(bytes: Uint8Array, table: FormTable, form: number, at: number): boolean {
  const [offset, length] = [table.offsets[form] ?? 0, table.lengths[form] ?? 0];
  if (at < 0 || at + length > bytes.length) return false;
  const as = comparedAs(((table.flags[form] ?? 0) & flag.isBase64) !== 0);
  for (let i = 0; i < length; i++) if (as[bytes[at + i] ?? 0] !== table.bytes[offset + i]) return false;
  return true;
}

/**
 * Words of a text would else make a short secret together: `as if` is no `asif`. Spaces after each letter are none by
 * chance, nor are those that the secret has there itself, nor is anything that nobody sees.
 */
function gapsAreMeant(
  view: View,
  { at, length, bits }: Match,
  source: Uint8Array,
  mayHaveSigns: boolean,
): boolean {
  if (length >= minBytesForGaps) return true;
  let [spaces, own, characters] = [0, 0, 1];
  for (let i = at + 1; i < at + length; i++) {
    if ((bits & gapBefore(i - at)) !== 0) own++;
    else if (holdsSpace(source, view.ends[i - 1] ?? 0, view.starts[i] ?? 0, mayHaveSigns)) spaces++;
    if (((view.bytes[i] ?? 0) & 0xc0) !== 0x80) characters++;
  }
  return spaces === 0 || spaces >= characters - 1 - own;
}

function spanOf(view: View, { at, length, bits }: Match): Found {
  const [first, last] = [at, at + length - 1];
  const from = (bits & flag.before) !== 0 && isBase64(view.bytes[first - 1]) ? first - 1 : first;
  const to = (bits & flag.after) !== 0 && isBase64(view.bytes[last + 1]) ? last + 1 : last;
  return {
    start: view.starts[from] ?? 0,
    end: view.ends[to] ?? 0,
    core: { start: view.starts[first] ?? 0, end: view.ends[last] ?? 0 },
  };
}

const isBase64 = (byte: number | undefined): boolean =>
  byte !== undefined && /[\w+/-]/.test(String.fromCharCode(byte));
