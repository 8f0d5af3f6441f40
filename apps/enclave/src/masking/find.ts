import { allReaders, singleReaders } from './decoders.ts';
import { type Form, shortestSecret } from './forms.ts';
import { decodeOnce, type View, viewOf, withoutGaps } from './view.ts';

/** A part of the source, in bytes, the end exclusive. */
export type Span = { readonly start: number; readonly end: number };

/** Forms by their first bytes, so that one pass over a text finds the candidates of all. */
export type FormIndex = {
  readonly byAnchor: ReadonlyMap<number, readonly Form[]>;
  /** Says of nearly every place of a text, faster than a map, that no form begins there. */
  readonly mayBegin: Uint8Array;
  /** Of the longest form, in bytes. */
  readonly longest: number;
};

export function indexForms(forms: readonly Form[]): FormIndex {
  const byAnchor = new Map<number, Form[]>();
  const searched = forms.flatMap(asSearched).filter((form) => form.bytes.length >= shortestSecret);
  for (const form of searched) {
    const anchor = anchorAt(fold(form.bytes), 0);
    byAnchor.set(anchor, [...(byAnchor.get(anchor) ?? []), form]);
  }
  const mayBegin = new Uint8Array(0x1_0000);
  for (const anchor of byAnchor.keys()) mayBegin[slotOf(anchor)] = 1;
  return { byAnchor, mayBegin, longest: Math.max(0, ...searched.map((form) => form.bytes.length)) };
}

/** Where any form stands in any of the usual encodings. Spans may overlap. */
export function findForms(source: Uint8Array, index: FormIndex): Span[] {
  return index.byAnchor.size === 0
    ? []
    : viewsOf(viewOf(source)).flatMap((view) => findIn(withoutGaps(view), index, source));
}

/** The most decoded reading: it has the fewest bytes. */
export const fullyDecoded = (source: Uint8Array): View =>
  withoutGaps(viewsOf(viewOf(source)).at(-1) ?? viewOf(source));

/** Encodings may be nested so deep; a text deeper still is looked at in the layers above. */
const mostLayers = 6;

/** Each encoding alone, because a secret may itself look like another; then all together, layer by layer. */
function viewsOf(source: View): View[] {
  return [
    source,
    ...singleReaders.flatMap((readers) => layersOf(source, readers)),
    ...layersOf(source, allReaders),
  ];
}

function layersOf(source: View, readers: Parameters<typeof decodeOnce>[1]): View[] {
  const layers: View[] = [];
  for (
    let view = decodeOnce(source, readers);
    view !== null && layers.length < mostLayers;
    view = decodeOnce(view, readers)
  )
    layers.push(view);
  return layers;
}

/** As it stands and as a text decoded to the end would show it, in both cases without gaps. */
function asSearched(form: Form): Form[] {
  const whole = withoutGaps(viewOf(form.bytes)).bytes;
  const decoded = fullyDecoded(form.bytes).bytes;
  const same = whole.length === decoded.length && whole.every((byte, i) => byte === decoded[i]);
  return (same ? [whole] : [whole, decoded]).map((bytes) => ({ ...form, bytes }));
}

function findIn(view: View, { byAnchor, mayBegin }: FormIndex, source: Uint8Array): Span[] {
  const found: Span[] = [];
  const folded = fold(view.bytes);
  for (let i = 0; i + shortestSecret <= folded.length; i++) {
    const anchor = anchorAt(folded, i);
    if (mayBegin[slotOf(anchor)] === 0) continue;
    for (const form of byAnchor.get(anchor) ?? [])
      if (standsAt(form, view, folded, i) && gapsAreMeant(view, i, form.bytes.length, source))
        found.push(spanOf(form, view, i));
  }
  return found;
}

function standsAt(form: Form, view: View, folded: Uint8Array, at: number): boolean {
  const { length } = form.bytes;
  if (at + length > folded.length) return false;
  const text = form.anyCase ? folded : view.bytes;
  for (let i = 0; i < length; i++) {
    const byte = form.bytes[i] ?? 0;
    if ((form.anyCase ? foldByte(byte) : byte) !== text[at + i]) return false;
  }
  return true;
}

/**
 * Words of a text would else make a short secret together: `as if` is no `asif`. Spaces after each letter are none by
 * chance, nor is anything that nobody sees.
 */
function gapsAreMeant(view: View, at: number, length: number, source: Uint8Array): boolean {
  if (length >= longEnoughForGaps) return true;
  let [spaces, characters] = [0, 1];
  for (let i = at + 1; i < at + length; i++) {
    if (holdsSpace(source, view.ends[i - 1] ?? 0, view.starts[i] ?? 0)) spaces++;
    if (((view.bytes[i] ?? 0) & 0xc0) !== 0x80) characters++;
  }
  return spaces === 0 || spaces >= characters - 1;
}

const longEnoughForGaps = 8;

/** White space is ASCII or begins with C2 (a hard space); what has no width begins with a higher byte. */
function holdsSpace(source: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if ((source[i] ?? 0) < 0x80 || source[i] === 0xc2) return true;
  return false;
}

function spanOf(form: Form, view: View, at: number): Span {
  let [first, last] = [at, at + form.bytes.length - 1];
  if (form.before > 0 && isBase64(view.bytes[first - 1])) first--;
  if (form.after > 0 && isBase64(view.bytes[last + 1])) last++;
  return { start: view.starts[first] ?? 0, end: view.ends[last] ?? 0 };
}

const isBase64 = (byte: number | undefined): boolean =>
  byte !== undefined && /[\w+/-]/.test(String.fromCharCode(byte));

const foldByte = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);

function fold(bytes: Uint8Array): Uint8Array {
  const folded = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) folded[i] = foldByte(bytes[i] ?? 0);
  return folded;
}

const slotOf = (anchor: number): number => (anchor ^ (anchor >>> 16)) & 0xffff;

const anchorAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 24) |
  ((bytes[at + 1] ?? 0) << 16) |
  ((bytes[at + 2] ?? 0) << 8) |
  (bytes[at + 3] ?? 0);
