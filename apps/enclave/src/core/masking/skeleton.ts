import { copyOf, emptyView, firstOf, type View } from './view.ts';

/**
 * What is compared: no white space, nothing that nobody sees, and one spelling of each character (NFKD without marks, in small
 * letters beyond ASCII, digits of any script and quotes of any language as ASCII has them), so that composed, decomposed, full-width
 * and plainer characters are the same. Bytes that are no UTF-8 stay.
 */
export function skeletonOf(view: View): View {
  const { bytes, starts, ends } = view;
  const skeleton = emptyView(bytes.length + (maxGrowth - 1) * beyondAscii(bytes));
  let size = 0;
  // Where the marks before the next letter begin; -1: there are none.
  let marks = -1;
  for (let i = 0; i < bytes.length; ) {
    const byte = bytes[i] as number;
    // Most bytes of most texts, and the first branch for that.
    if (byte < 0x80) {
      if (gaps[byte] === 0) {
        skeleton.bytes[size] = byte;
        skeleton.starts[size] = marks < 0 ? (starts[i] as number) : marks;
        skeleton.ends[size++] = ends[i] as number;
      }
      marks = -1;
      i += 1;
      continue;
    }
    const length = lengthAt(bytes, i);
    const [start, end] = [starts[i] as number, ends[i + length - 1] as number];
    if (length === 1) {
      skeleton.bytes[size] = byte;
      skeleton.starts[size] = marks < 0 ? start : marks;
      skeleton.ends[size++] = end;
      marks = -1;
    } else {
      const spelling = spellingOf(pointAt(bytes, i, length), length);
      for (let k = 0; k < spelling.length; k++) {
        skeleton.bytes[size] = spelling[k] as number;
        skeleton.starts[size] = marks < 0 ? start : marks;
        skeleton.ends[size++] = end;
        marks = -1;
      }
      // It belongs to the letter that it stands on, and, where a text is written backwards, to the one behind it.
      if (spelling === ofMark) {
        if (size > 0) skeleton.ends[size - 1] = end;
        if (marks < 0) marks = start;
      }
    }
    i += length;
  }
  return firstOf(skeleton, size);
}

/** Removes punctuation too: sites use it to group numbers, keys and words, to list, quote and escape them. */
export const withoutSigns = (view: View): View => without(view, signs, beyondSigns);
/** Removes the punctuation that groups numbers. */
export const ungrouped = (view: View): View => without(view, grouping, none);
/** Removes `+` too, which stands for a space in a query. */
export const withoutPlus = (view: View): View => without(view, plus, none);

const [grouping, plus] = [setOf(/[-./,:()_+]/), setOf(/\+/)];
/** All of ASCII that is shown and is neither letter nor digit. */
const signs = setOf(/[!-/:-@[-`{-~]/);
const isSign = (byte: number): boolean => signs[byte] === 1;

function setOf(meant: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (meant.test(String.fromCharCode(byte)) ? 1 : 0));
}

/** White space is ASCII or begins with C2 (a hard space); what has no width begins with a higher byte, or is 0. */
export function holdsSpace(source: Uint8Array, from: number, to: number, mayHaveSigns: boolean): boolean {
  for (let i = from; i < to; i++) {
    const byte = source[i] ?? 0;
    if (mayHaveSigns && isSign(byte)) continue;
    if ((byte > 0 && byte < 0x80) || byte === 0xc2) return true;
  }
  return false;
}

/**
 * Returns the length of the punctuation character beyond ASCII at `at`, in bytes; 0 if there is none. It
 * covers U+0080–U+00BF and U+2000–U+2FFF, which hold few letters.
 */
function beyondSigns(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  const length = byte === 0xc2 ? 2 : byte === 0xe2 ? 3 : 1;
  return length > 1 && lengthAt(bytes, at) === length ? length : 0;
}
const none = (): number => 0;

/** Removes what is 1 in `ascii`, and beyond ASCII so many bytes as `lengthOf` says. What has none of them stays the same view. */
function without(view: View, ascii: Uint8Array, lengthOf: (bytes: Uint8Array, at: number) => number): View {
  const { bytes, starts, ends } = view;
  const removedAt = (at: number): number => {
    const byte = bytes[at] as number;
    return byte < 0x80 ? (ascii[byte] as number) : lengthOf(bytes, at);
  };
  let first = 0;
  while (first < bytes.length && removedAt(first) === 0) first++;
  if (first === bytes.length) return view;
  const rest = copyOf(view, first);
  let size = first;
  for (let i = first; i < bytes.length; ) {
    const length = removedAt(i);
    if (length === 0) {
      rest.bytes[size] = bytes[i] as number;
      rest.starts[size] = starts[i] as number;
      rest.ends[size++] = ends[i] as number;
    }
    i += length || 1;
  }
  return firstOf(rest, size);
}

/** White space, and the sign between neighbours. */
const isGap = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0;
const gaps = Uint8Array.from({ length: 256 }, (_, byte) => (isGap(byte) ? 1 : 0));

function beyondAscii(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) count += (bytes[i] ?? 0) >> 7;
  return count;
}

/** Gives the length in bytes of the UTF-8 character that begins there; 1 where none does. */
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
/** The skeleton of a combining mark: nothing. */
const ofMark = new Uint8Array(0);
const isMark = /^(?!\p{Default_Ignorable_Code_Point})\p{M}$/u;
const known = new Map<number, Uint8Array>();
/** Most bytes that one byte becomes: a syllable of Hangul. What would become longer stays as it is. */
const maxGrowth = 3;

function spellingOf(point: number, length: number): Uint8Array {
  const before = known.get(point);
  if (before !== undefined) return before;
  const text =
    point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? '\ufffd' : String.fromCodePoint(point);
  if (isMark.test(text)) {
    known.set(point, ofMark);
    return ofMark;
  }
  const spelled = utf8.encode(spell(text));
  const spelling = spelled.length > maxGrowth * length ? utf8.encode(text) : spelled;
  known.set(point, spelling);
  return spelling;
}

function spell(character: string): string {
  if (unseen.test(character)) return '';
  if (dash.test(character)) return '-';
  if (dot.test(character)) return '.';
  if (quote.test(character)) return "'";
  if (doubleQuote.test(character)) return '"';
  if (digit.test(character)) return String(digitOf(character));
  const letter = letterOf(character);
  if (letter !== null) return letter;
  const plain = character.normalize('NFKD').toLowerCase().normalize('NFKD');
  return plain.replaceAll(unseenOrSpace, '').replaceAll('\u0131', 'i');
}

/** Digits of a script follow each other from its zero. */
function digitOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && digit.test(String.fromCodePoint(point - value - 1))) value++;
  return value;
}

/** Gives the plain letter for letters in circles and squares, flags and small capitals, for which Unicode has no mapping; null for all others. */
function letterOf(character: string): string | null {
  const small = smallCapitals.indexOf(character);
  if (small >= 0) return smallCapitals.charAt(small - 1);
  const point = character.codePointAt(0) ?? 0;
  const from = ofLetters.find((first) => point >= first && point < first + 26);
  return from === undefined ? null : String.fromCharCode(0x61 + point - from);
}
const ofLetters = [0x1f150, 0x1f170, 0x1f1e6];
/** After each letter its small capital. */
const smallCapitals = 'aᴀbʙcᴄdᴅeᴇfꜰgɢhʜiɪjᴊkᴋlʟmᴍnɴoᴏpᴘqꞯrʀsꜱtᴛuᴜvᴠwᴡyʏzᴢ';

/**
 * Spaces, controls, what has no width, fillers, variation selectors, marks on letters, which sites take off and put on, and what
 * stands for a character that was lost.
 */
const unseen =
  /^(?:[\s\p{Z}\p{Cc}\p{Cf}\p{M}\u115f\u1160\u3164\uffa0\ufffd]|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point})$/u;
const unseenOrSpace = /[\s\p{Z}\p{Cc}\p{Cf}\p{M}]/gu;
/** Those of NFKD are ASCII by then. */
const digit = /^(?=[^\u{1d7ce}-\u{1d7ff}\uff10-\uff19])\p{Nd}$/u;
const quote = /^[\u2018-\u201b\u2032\u2039\u203a\u02bc]$/u;
const doubleQuote = /^[\u201c-\u201f\u2033\u00ab\u00bb]$/u;
const dash = /^[\p{Pd}\u2212]$/u;
const dot = /^[\u00b7\u2022\u2027\u2219\u22c5]$/u;
