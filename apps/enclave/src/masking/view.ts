/** Text as bytes, each with the span of the source from which it came, so that what is found decoded is masked encoded. */
export type View = {
  readonly bytes: Uint8Array;
  /** Offsets into the bytes of the source, the end exclusive. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
};

export function viewOf(bytes: Uint8Array): View {
  const starts = new Uint32Array(bytes.length);
  const ends = new Uint32Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    starts[i] = i;
    ends[i] = i + 1;
  }
  return { bytes, starts, ends };
}

/** What stands at `at`, decoded, and how many bytes it took; null when nothing encoded stands there. The text has a sign per byte. */
export type Reader = (
  text: string,
  at: number,
) => { readonly value: Uint8Array; readonly length: number } | null;

/** Which reader is asked at which sign. */
export type Readers = ReadonlyMap<string, Reader>;

const signs = new TextDecoder('latin1');

/** Everything encoded is decoded once; null when nothing was. */
export function decodeOnce(view: View, readers: Readers): View | null {
  const text = signs.decode(view.bytes);
  if (![...readers.keys()].some((sign) => text.includes(sign))) return null;
  const writer = newWriter(view.bytes.length);
  let changed = false;
  for (let i = 0; i < view.bytes.length; ) {
    const read = readers.get(text.charAt(i))?.(text, i);
    if (read) changed = true;
    const { value, length } = read ?? { value: view.bytes.subarray(i, i + 1), length: 1 };
    const [start, end] = [view.starts[i] ?? 0, view.ends[i + length - 1] ?? 0];
    for (const byte of value) writer.write(byte, start, end);
    i += length;
  }
  return changed ? writer.view() : null;
}

/** Without white space and characters that nobody sees. */
export function withoutGaps(view: View): View {
  const { bytes, starts, ends } = view;
  const writer = newWriter(bytes.length);
  for (let i = 0; i < bytes.length; ) {
    const byte = bytes[i] ?? 0;
    const gap = isSpace(byte) ? 1 : gapLeads.has(byte) ? gapLength(bytes, i) : 0;
    if (gap === 0) writer.write(byte, starts[i] ?? 0, ends[i] ?? 0);
    i += gap || 1;
  }
  return writer.view();
}

/** No reader makes more bytes of a token than it took: `%u00e9` is the tightest, with three at most for six. */
function newWriter(most: number) {
  const bytes = new Uint8Array(most);
  const starts = new Uint32Array(most);
  const ends = new Uint32Array(most);
  let size = 0;
  return {
    write(byte: number, start: number, end: number) {
      bytes[size] = byte;
      starts[size] = start;
      ends[size++] = end;
    },
    view: (): View => ({
      bytes: bytes.subarray(0, size),
      starts: starts.subarray(0, size),
      ends: ends.subarray(0, size),
    }),
  };
}

/** How many bytes of UTF-8 at `at` are one such character; 0 for a visible one. */
function gapLength(bytes: Uint8Array, at: number): number {
  const [lead = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
  if (lead === 0xc2) return second === 0xa0 || second === 0xad ? 2 : 0;
  const point = ((lead & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
  return gaps.some(([first, last]) => point >= first && point <= last) ? 3 : 0;
}

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** First bytes of those beyond ASCII. */
const gapLeads = new Set([0xc2, 0xe1, 0xe2, 0xe3, 0xef]);

/** Spaces, zero-width characters, direction marks, joiners, variation selectors. */
const gaps = [
  [0x1680, 0x1680],
  [0x180b, 0x180e],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x3000, 0x3000],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
] as const;
