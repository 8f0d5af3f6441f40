import { type Automaton, automatonOf } from './automaton.ts';
import { type Form, minSecret } from './forms.ts';
import { fullyDecoded } from './readings.ts';
import { holdsSpace, skeletonOf, withoutSigns } from './skeleton.ts';
import { type View, viewOf } from './view.ts';

/**
 * Forms side by side in one piece of memory, found by the hash of a few bytes of each: of those of its bytes that the
 * fewest others have, so that keys which all begin alike are told apart at once.
 */
export type FormTable = {
  /** The bytes that are compared: in lower case, or in the standard base64 alphabet. */
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  readonly lengths: Uint32Array;
  /** The offset of the hashed bytes in each form. */
  readonly anchors: Uint32Array;
  /** Bits of `flag`; for a form below `minBytesForGaps` also its number of gaps. */
  readonly flags: Uint16Array;
  /** Says of nearly every place of a text, faster than the heads, that nothing is found there. */
  readonly filter: Uint8Array;
  /** First form of a hash and the next one of the same; -1: none. */
  readonly heads: Int32Array;
  readonly next: Int32Array;
  /** Finds those of which all bytes are in many others, so that there are never many to try at one place. */
  readonly crowd: Automaton | null;
  /** The gaps of all in the crowd. */
  readonly crowdGaps: number;
};

export type FormIndex = {
  /** Forms of at least `longAnchor` bytes, and shorter ones. */
  readonly long: FormTable;
  readonly short: FormTable;
  /** The same for what is looked for between signs that make groups. */
  readonly longGrouped: FormTable;
  readonly shortGrouped: FormTable;
  /** Length of the longest form, in bytes. */
  readonly longest: number;
};

export const longAnchor = 8;
export const flag = { isBase64: 1, before: 2, after: 4, isWord: 8 } as const;

/** White space counts in forms shorter than this; otherwise adjacent words of a text could spell a short secret. */
export const minBytesForGaps = 8;
/** The flag of white space before a byte of a short form, which the secret has there itself. */
export const gapBefore = (at: number): number => 0x80 << at;

/** Letters and signs that may be the same for some form. */
export const folded = tableOf((byte) => small(firstAlphabet(byte)));
const smallLetters = tableOf(small);
const alphabet = tableOf(firstAlphabet);
export const comparedAs = (isBase64: boolean): Uint8Array => (isBase64 ? alphabet : smallLetters);

export function indexForms(forms: readonly Form[]): FormIndex {
  const searched = forms.filter(({ isGrouped }) => !isGrouped).flatMap(asSearched);
  const grouped = forms.filter(({ isGrouped }) => isGrouped).map(withoutGroups);
  const table = (some: readonly Searched[], isLong: boolean) =>
    newTable(
      some.filter(({ bytes: { length } }) => length >= minSecret && length >= longAnchor === isLong),
      isLong ? longAnchor : minSecret,
    );
  const index = {
    long: table(searched, true),
    short: table(searched, false),
    longGrouped: table(grouped, true),
    shortGrouped: table(grouped, false),
    longest: [...searched, ...grouped].reduce((most, { bytes }) => Math.max(most, bytes.length), 0),
  };
  for (const { bytes } of [...searched, ...grouped]) bytes.fill(0);
  return index;
}

export function wipeIndex({ long, short, longGrouped, shortGrouped }: FormIndex): void {
  for (const table of [long, short, longGrouped, shortGrouped]) {
    table.bytes.fill(0);
    table.filter.fill(0);
  }
}

/** Hashes eight bytes, given as the four before and the last four; `before` is 0 for a hash of four. */
export function hashOf(before: number, last: number): number {
  const mixed = Math.imul(last, 0x9e3779b1) ^ Math.imul(before, 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0;
}

/** The slot of a hash in a table whose size is a power of two. */
export const slotOf = (hash: number, size: number): number => (hash ^ (hash >>> 13)) & (size - 1);

function newTable(forms: readonly Searched[], width: number): FormTable {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(16, forms.length * 2)));
  const table = {
    bytes: new Uint8Array(forms.reduce((sum, { bytes }) => sum + bytes.length, 0)),
    offsets: new Uint32Array(forms.length),
    lengths: new Uint32Array(forms.length),
    anchors: new Uint32Array(forms.length),
    flags: new Uint16Array(forms.length),
    filter: new Uint8Array(forms.length === 0 ? 0 : Math.max(0x1_0000, slots * 4)),
    heads: new Int32Array(slots).fill(-1),
    next: new Int32Array(forms.length).fill(-1),
  };
  const counts = new Uint32Array(slots);
  const crowded: Uint8Array[] = [];
  let [offset, crowdGaps] = [0, 0];
  for (const [i, form] of forms.entries()) {
    const { bytes, isBase64 } = form;
    for (let k = 0; k < bytes.length; k++) table.bytes[offset + k] = comparedAs(isBase64)[bytes[k] ?? 0] ?? 0;
    table.offsets[i] = offset;
    table.lengths[i] = bytes.length;
    table.flags[i] =
      (isBase64 ? flag.isBase64 : 0) |
      (form.before ? flag.before : 0) |
      (form.after ? flag.after : 0) |
      (form.isWord === true ? flag.isWord : 0) |
      form.gaps;
    if (!addAnchor(table, counts, i, width)) {
      crowded.push(bytes.map((byte) => folded[byte] ?? 0));
      crowdGaps |= form.gaps;
    }
    offset += bytes.length;
  }
  return { ...table, crowd: crowded.length === 0 ? null : automatonOf(crowded, folded), crowdGaps };
}

/** So many places of a form are tried, from its end, spread over it. */
const maxTried = 64;
/** More forms with the same bytes are a crowd. */
const maxTogether = 4;

function addAnchor(
  table: Omit<FormTable, 'crowd' | 'crowdGaps'>,
  counts: Uint32Array,
  form: number,
  width: number,
): boolean {
  const [offset, length] = [table.offsets[form] ?? 0, table.lengths[form] ?? 0];
  const step = Math.max(1, Math.ceil((length - width + 1) / maxTried));
  let [best, hash, fewest] = [0, 0, Infinity];
  for (let at = length - width; at >= 0 && fewest > 0; at -= step) {
    const tried = hashAt(table.bytes, offset + at, width);
    const count = counts[slotOf(tried, counts.length)] ?? 0;
    if (count < fewest) [best, hash, fewest] = [at, tried, count];
  }
  if (fewest >= maxTogether) return false;
  const slot = slotOf(hash, counts.length);
  counts[slot] = (counts[slot] ?? 0) + 1;
  table.anchors[form] = best;
  table.filter[slotOf(hash, table.filter.length)] = 1;
  table.next[form] = table.heads[slot] ?? -1;
  table.heads[slot] = form;
  return true;
}

function hashAt(bytes: Uint8Array, at: number, width: number): number {
  const four = (from: number): number => {
    let word = 0;
    for (let i = from; i < from + 4; i++) word = (word << 8) | (folded[bytes[i] ?? 0] ?? 0);
    return word;
  };
  return width === longAnchor ? hashOf(four(at), four(at + 4)) : hashOf(0, four(at));
}

/** A form as it is compared, and `gapBefore` of each of its bytes that has white space before it. */
type Searched = Form & { readonly gaps: number };

/** Returns the form as it is written, and fully decoded. */
function asSearched(form: Form): Searched[] {
  if (isPlain(form.bytes)) return [{ ...form, bytes: Uint8Array.from(form.bytes), gaps: 0 }];
  const written = searchedAs(form, skeletonOf(viewOf(form.bytes)));
  const decoded = searchedAs(form, fullyDecoded(form.bytes));
  const isSame =
    written.bytes.length === decoded.bytes.length &&
    written.gaps === decoded.gaps &&
    written.bytes.every((byte, i) => byte === decoded.bytes[i]);
  return isSame ? [written] : [written, decoded];
}

function searchedAs(form: Form, { bytes, starts, ends }: View): Searched {
  let gaps = 0;
  for (let i = 1; i < bytes.length && bytes.length < minBytesForGaps; i++)
    if (holdsSpace(form.bytes, ends[i - 1] ?? 0, starts[i] ?? 0, false)) gaps |= gapBefore(i);
  return { ...form, bytes: Uint8Array.from(bytes), gaps };
}

/** Letters and digits, which are the same in every reading. */
const isPlain = (bytes: Uint8Array): boolean => bytes.every((byte) => plain[byte] === 1);
const plain = tableOf((byte) => (/[a-z0-9+/=]/i.test(String.fromCharCode(byte)) ? 1 : 0));

const withoutGroups = (form: Form): Searched =>
  searchedAs(form, withoutSigns(skeletonOf(viewOf(form.bytes))));

function tableOf(of: (byte: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => of(byte));
}

function small(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

/** `-` and `_` of base64url are `+` and `/`. */
function firstAlphabet(byte: number): number {
  return byte === 0x2d ? 0x2b : byte === 0x5f ? 0x2f : byte;
}
