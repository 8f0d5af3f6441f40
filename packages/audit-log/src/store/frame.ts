import { hash } from 'node:crypto';

/**
 * What one flush writes: a magic word, the payload's length (4 bytes, big-endian), its SHA-256, and the payload,
 * which is one record's text a line. All records of a flush are there, or none.
 */
const magic = Buffer.from('CAL1');
const headBytes = magic.length + 4 + 32;
const newline = 0x0a;

/** A record's text by its place in a segment. */
export type Place = { readonly offset: number; readonly length: number };

export type Frame = {
  readonly bytes: Buffer;
  /** Counted from the frame's first byte. */
  readonly places: readonly Place[];
};

export function makeFrame(texts: readonly string[]): Frame {
  const records = texts.map((text) => Buffer.from(`${text}\n`));
  const payload = Buffer.concat(records);
  const head = Buffer.alloc(8);
  magic.copy(head);
  head.writeUInt32BE(payload.length, magic.length);
  let offset = headBytes;
  const places = records.map(({ length }) => {
    const place = { offset, length: length - 1 };
    offset += length;
    return place;
  });
  return { bytes: Buffer.concat([head, hash('sha256', payload, 'buffer'), payload]), places };
}

export type ReadFrame = {
  readonly places: readonly Place[];
  /** The offset of the next frame. */
  readonly end: number;
};

/** The frame that begins here, its places counted from the file's first byte; null when there is no whole one. */
export function readFrame(file: Buffer, at: number): ReadFrame | null {
  if (at + headBytes > file.length || !magic.equals(file.subarray(at, at + magic.length))) return null;
  const start = at + headBytes;
  const end = start + file.readUInt32BE(at + magic.length);
  const payload = file.subarray(start, end);
  const isWhole = end <= file.length && payload.at(-1) === newline;
  const checksum = file.subarray(start - 32, start);
  return isWhole && hash('sha256', payload, 'buffer').equals(checksum)
    ? { places: linesOf(file, start, end), end }
    : null;
}

/**
 * Whether a whole frame stands anywhere after this place. A frame is begun only when the one before it is on disk, so
 * what stands before a whole one was whole once. No record can look like a frame: its text has no byte 0.
 */
export function hasFrameAfter(file: Buffer, at: number): boolean {
  for (let found = file.indexOf(magic, at + 1); found >= 0; found = file.indexOf(magic, found + 1))
    if (readFrame(file, found) !== null) return true;
  return false;
}

function linesOf(file: Buffer, start: number, end: number): Place[] {
  const places: Place[] = [];
  for (let offset = start; offset < end; ) {
    const next = file.indexOf(newline, offset);
    places.push({ offset, length: next - offset });
    offset = next + 1;
  }
  return places;
}
