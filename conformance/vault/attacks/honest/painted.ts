import { inflateSync } from 'node:zlib';

/** So much of one dark colour is no letter and no border: it is a box painted over something. In pixels. */
const box = { width: 16, height: 6 };
const dark = 0x70;

type Picture = {
  readonly width: number;
  readonly height: number;
  /** Bytes of a pixel. */
  readonly bytes: number;
  readonly rows: Buffer;
};

/** Whether a picture of black text on white has a box painted over something of it. */
export function hasPaintedBox(png: Buffer): boolean {
  const picture = pixelsOf(png);
  const below = new Uint16Array(picture.width);
  for (let y = 0; y < picture.height; y++) {
    const runs = darkRuns(picture, y);
    for (const [x, length] of runs.entries()) below[x] = length < box.width ? 0 : (below[x] ?? 0) + 1;
    if (below.some((rows) => rows >= box.height)) return true;
  }
  return false;
}

/** For each pixel of a row, how many of the same dark colour end there. */
function darkRuns({ width, bytes, rows }: Picture, y: number): Uint16Array {
  const runs = new Uint16Array(width);
  let before = -1;
  for (let x = 0; x < width; x++) {
    const colour = darkAt(rows, (y * width + x) * bytes);
    if (colour >= 0) runs[x] = colour === before ? (runs[x - 1] ?? 0) + 1 : 1;
    before = colour;
  }
  return runs;
}

function darkAt(rows: Buffer, at: number): number {
  const colour = rows.readUIntBE(at, 3);
  return Math.max(colour >> 16, (colour >> 8) & 0xff, colour & 0xff) < dark ? colour : -1;
}

/** PNG (third edition), 9: eight bits, RGB or RGBA, as Chromium makes them. */
function pixelsOf(png: Buffer): Picture {
  const [width, height, bytes] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3];
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const filtered = inflateSync(Buffer.concat(data));
  const stride = width * bytes;
  const rows = Buffer.alloc(stride * height);
  let above = Buffer.alloc(stride);
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * stride, (y + 1) * stride);
    const from = y * (stride + 1);
    unfilter(filtered[from] ?? 0, filtered.subarray(from + 1, from + 1 + stride), { row, above, bytes });
    above = row;
  }
  return { width, height, bytes, rows };
}

type Rows = { readonly row: Buffer; readonly above: Buffer; readonly bytes: number };

function unfilter(filter: number, source: Buffer, { row, above, bytes }: Rows): void {
  for (const [x, byte] of source.entries()) {
    const [left, up, corner] = [row[x - bytes] ?? 0, above[x] ?? 0, above[x - bytes] ?? 0];
    const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
    row[x] = (byte + predicted) & 0xff;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
