import {
  comparedAs,
  flag,
  folded,
  type FormIndex,
  type FormTable,
  hashOf,
  longAnchor,
  slotOf,
} from './form-index.ts';
import { shortestSecret } from './forms.ts';
import { readingsOf } from './readings.ts';
import { isSign, withoutSigns } from './skeleton.ts';
import type { View } from './view.ts';

/** A part of the source, in bytes, the end exclusive. */
export type Span = { readonly start: number; readonly end: number };

/** What stands there, and what of it is nothing else: signs of base64 on its borders also hold bits of its neighbours. */
export type Found = Span & { readonly core: Span };

/** Where any form stands in any of the usual encodings. Spans may overlap. */
export function findForms(source: Uint8Array, ...indexes: readonly FormIndex[]): Found[] {
  const some = indexes.filter(({ longest }) => longest > 0);
  if (some.length === 0) return [];
  const hasGroups = some.some(groupsOf);
  const found: Found[] = [];
  for (const view of readingsOf(source)) {
    const groups = hasGroups ? withoutSigns(view) : view;
    for (const index of some) {
      findIn(view, index.long, index.short, (at, length, bits) => {
        if (gapsAreMeant(view, at, length, source, false)) note(found, spanOf(view, at, length, bits));
      });
      if (!groupsOf(index)) continue;
      findIn(groups, index.longGrouped, index.shortGrouped, (at, length, bits) => {
        const isNumber = (bits & flag.isWord) === 0;
        if (isNumber || gapsAreMeant(groups, at, length, source, true))
          note(found, spanOf(groups, at, length, bits));
      });
    }
  }
  return found;
}

const groupsOf = ({ longGrouped, shortGrouped }: FormIndex): boolean =>
  longGrouped.lengths.length + shortGrouped.lengths.length > 0;

/** One inside of another is masked, or left as it is, with that. */
function note(found: Found[], one: Found): void {
  const last = found.at(-1);
  if (last === undefined || one.start < last.core.start || one.end > last.core.end) found.push(one);
}

type Hear = (at: number, length: number, bits: number) => void;

/** One pass, whatever the number of forms: eight bytes that came last are kept, as two words. */
function findIn({ bytes }: View, long: FormTable, short: FormTable, hear: Hear): void {
  for (const { crowd } of [long, short])
    crowd?.(bytes, (end, size) => {
      hear(end + 1 - size, size, 0);
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
        tryAt(bytes, short, hash, i + 1 - shortestSecret, hear);
    }
  }
}

function tryAt(bytes: Uint8Array, table: FormTable, hash: number, anchor: number, hear: Hear): void {
  const { heads, next, anchors } = table;
  for (let form = heads[slotOf(hash, heads.length)] ?? -1; form >= 0; form = next[form] ?? -1) {
    const at = anchor - (anchors[form] ?? 0);
    if (standsAt(bytes, table, form, at)) hear(at, table.lengths[form] ?? 0, table.flags[form] ?? 0);
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
 * chance, nor is anything that nobody sees.
 */
function gapsAreMeant(
  view: View,
  at: number,
  length: number,
  source: Uint8Array,
  mayHaveSigns: boolean,
): boolean {
  if (length >= longEnoughForGaps) return true;
  let [spaces, characters] = [0, 1];
  for (let i = at + 1; i < at + length; i++) {
    if (holdsSpace(source, view.ends[i - 1] ?? 0, view.starts[i] ?? 0, mayHaveSigns)) spaces++;
    if (((view.bytes[i] ?? 0) & 0xc0) !== 0x80) characters++;
  }
  return spaces === 0 || spaces >= characters - 1;
}

const longEnoughForGaps = 8;

/** White space is ASCII or begins with C2 (a hard space); what has no width begins with a higher byte, or is 0. */
function holdsSpace(source: Uint8Array, from: number, to: number, mayHaveSigns: boolean): boolean {
  for (let i = from; i < to; i++) {
    const byte = source[i] ?? 0;
    if (mayHaveSigns && isSign(byte)) continue;
    if ((byte > 0 && byte < 0x80) || byte === 0xc2) return true;
  }
  return false;
}

function spanOf(view: View, at: number, length: number, bits: number): Found {
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
