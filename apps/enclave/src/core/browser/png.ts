import { deflateSync, inflateSync } from 'node:zlib';

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

const signature = 8;
const headerBytes = 13;
/** Bytes of a pixel, by colour type: grey, RGB, RGBA. */
const pixelBytes: Readonly<Record<number, number>> = { 0: 1, 2: 3, 6: 4 };

export type Colour = readonly [red: number, green: number, blue: number];
const grey: Colour = [0x60, 0x60, 0x60];

/** Paints boxes over, off this thread. Null for a picture of which nothing may be shown. */
export type Paint = (png: Uint8Array, boxes: readonly Box[], colour?: Colour) => Promise<Buffer | null>;

/**
 * The picture with these boxes in one plain colour, in pixels. Null for what is no PNG as Chromium makes them (eight bits,
 * not interlaced): then nothing of it may be shown.
 */
export function paintOver(png: Buffer, boxes: readonly Box[], colour: Colour = grey): Buffer | null {
  const header = png.subarray(signature + 8, signature + 8 + headerBytes);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const bytes = pixelBytes[header[9] ?? -1];
  if (bytes === undefined || header[8] !== 8 || header[12] !== 0) return null;
  const stride = width * bytes + 1;
  const rows = inflateSync(Buffer.concat(chunksOf(png, 'IDAT')), { chunkSize: roomFor(stride * height) });
  if (rows.length !== stride * height) return null;
  unfilter(rows, stride, bytes);
  const pixel = Buffer.from([...colour, 0xff]).subarray(0, bytes);
  for (const box of boxes) paint(rows, { width, height, stride, bytes, pixel }, box);
  const painted = Buffer.concat([
    png.subarray(0, signature),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  rows.fill(0);
  return painted;
}

/** All of a picture at once, up to a bound that no picture of ours reaches: what it says of itself may be wrong. */
const roomFor = (bytes: number): number => Math.min(Math.max(bytes, 64) + 1, 64 * 1024 * 1024);

type Format = {
  readonly width: number;
  readonly height: number;
  readonly stride: number;
  readonly bytes: number;
  readonly pixel: Buffer;
};

function paint(rows: Buffer, { width, height, stride, bytes, pixel }: Format, box: Box): void {
  const [left, right] = [Math.floor(box.x), Math.ceil(box.x + box.width)].map((x) => clamp(x, width));
  const [top, bottom] = [Math.floor(box.y), Math.ceil(box.y + box.height)].map((y) => clamp(y, height));
  for (let y = top ?? 0; y < (bottom ?? 0); y++) {
    const row = y * stride + 1;
    rows.fill(pixel, row + (left ?? 0) * bytes, row + (right ?? 0) * bytes);
  }
}

const clamp = (value: number, max: number): number => Math.min(Math.max(value, 0), max);

/** PNG (third edition), 9.2; afterwards every row has filter 0. */
function unfilter(rows: Buffer, stride: number, bytes: number): void {
  for (let row = 0; row < rows.length; row += stride) {
    const filter = rows[row] ?? 0;
    rows[row] = 0;
    if (filter === 1) addFrom(rows, row + 1 + bytes, row + stride, bytes);
    else if (filter === 2 && row > 0) addFrom(rows, row + 1, row + stride, stride);
    else if (filter > 2) unfilterRow(rows, { row, stride, bytes, filter });
  }
}

/** To each byte the one that stands so far before it. Nearly all rows are of this kind. */
function addFrom(rows: Buffer, from: number, to: number, distance: number): void {
  for (let i = from; i < to; i++) rows[i] = (rows[i] ?? 0) + (rows[i - distance] ?? 0);
}

type Row = { readonly row: number; readonly stride: number; readonly bytes: number; readonly filter: number };

function unfilterRow(rows: Buffer, { row, stride, bytes, filter }: Row): void {
  const above = (i: number): number => (row > 0 && i > row ? (rows[i - stride] ?? 0) : 0);
  for (let i = row + 1; i < row + stride; i++) {
    const left = i - bytes > row ? (rows[i - bytes] ?? 0) : 0;
    const corner = i - bytes > row ? above(i - bytes) : 0;
    rows[i] = (rows[i] ?? 0) + predicted(filter, left, above(i), corner);
  }
}

/** Predicts a byte from its neighbours to the left and above, by the PNG filter. */
function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 3) return (left + above) >> 1;
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

function chunksOf(png: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = signature; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === type) found.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return found;
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let k = 0; k < 8; k++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (crcTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
