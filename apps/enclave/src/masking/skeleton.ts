import { emptyView, firstOf, type View } from './view.ts';

/**
 * What is compared: no white space, nothing that nobody sees, and one spelling of each character (NFKD, in small letters
 * beyond ASCII), so that composed, decomposed and full-width characters are the same. Bytes that are no UTF-8 stay.
 */
export function skeletonOf(view: View): View {
  const { bytes, starts, ends } = view;
  const skeleton = emptyView(bytes.length + (maxGrowth - 1) * beyondAscii(bytes));
  let size = 0;
  const write = (byte: number, start: number, end: number): void => {
    skeleton.bytes[size] = byte;
    skeleton.starts[size] = start;
    skeleton.ends[size++] = end;
  };
  for (let i = 0; i < bytes.length; ) {
    const byte = bytes[i] ?? 0;
    const length = byte < 0x80 ? 1 : lengthAt(bytes, i);
    const [start, end] = [starts[i] ?? 0, ends[i + length - 1] ?? 0];
    if (length > 1) {
      const spelling = spellingOf(pointAt(bytes, i, length), length);
      for (let k = 0; k < spelling.length; k++) write(spelling[k] ?? 0, start, end);
    } else if (!isGap(byte)) write(byte, start, end);
    i += length;
  }
  return firstOf(skeleton, size);
}

/** Without the signs by which numbers, keys and lists of bytes are put into groups, too. */
export const ungrouped = (view: View): View => without(view, grouping);
/** Without that which stands for a space in a query, too. */
export const withoutPlus = (view: View): View => without(view, plus);

const grouping = setOf('-./,:()_+');
export const isGrouping = (byte: number): boolean => grouping[byte] === 1;
const plus = setOf('+');

function setOf(signs: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const sign of signs) set[sign.charCodeAt(0)] = 1;
  return set;
}

function without({ bytes, starts, ends }: View, signs: Uint8Array): View {
  const rest = emptyView(bytes.length);
  let size = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (signs[byte] === 1) continue;
    rest.bytes[size] = byte;
    rest.starts[size] = starts[i] ?? 0;
    rest.ends[size++] = ends[i] ?? 0;
  }
  return firstOf(rest, size);
}

/** White space, and the sign between neighbours. */
const isGap = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0;

function beyondAscii(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) count += (bytes[i] ?? 0) >> 7;
  return count;
}

/** Of the character of UTF-8 that begins there; 1 where none does. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
  for (let i = at + 1; i < at + length; i++) if (((bytes[i] ?? 0) & 0xc0) !== 0x80) return 1;
  return length;
}

function pointAt(bytes: Uint8Array, at: number, length: number): number {
  let point = (bytes[at] ?? 0) & (0x7f >> length);
  for (let i = at + 1; i < at + length; i++) point = (point << 6) | ((bytes[i] ?? 0) & 0x3f);
  return point;
}

const utf8 = new TextEncoder();
const known = new Map<number, Uint8Array>();
/** Most bytes that one byte becomes: a syllable of Hangul. What would become longer stays as it is. */
const maxGrowth = 3;

function spellingOf(point: number, length: number): Uint8Array {
  const before = known.get(point);
  if (before !== undefined) return before;
  const text =
    point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? '\ufffd' : String.fromCodePoint(point);
  const spelled = utf8.encode(spell(text));
  const spelling = spelled.length > maxGrowth * length ? utf8.encode(text) : spelled;
  known.set(point, spelling);
  return spelling;
}

function spell(character: string): string {
  if (unseen.test(character)) return '';
  if (dash.test(character)) return '-';
  if (dot.test(character)) return '.';
  const plain = character.normalize('NFKD').toLowerCase().normalize('NFKD');
  return plain.replaceAll(unseenOrSpace, '');
}

/** Spaces, controls, what has no width, fillers, variation selectors. */
const unseen =
  /^(?:[\s\p{Z}\p{Cc}\p{Cf}\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point})$/u;
const unseenOrSpace = /[\s\p{Z}\p{Cc}\p{Cf}]/gu;
const dash = /^[\p{Pd}\u2212]$/u;
const dot = /^[\u00b7\u2022\u2027\u2219\u22c5]$/u;
