import { deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { paintOver } from './png.ts';

/** A picture with each of the five filters in turn; decoded by hand in the test. */
function pngOf(width: number, height: number, bytes: number): { png: Buffer; pixels: Buffer } {
  const pixels = Buffer.from(Array.from({ length: width * height * bytes }, (_, i) => (i * 37) % 256));
  const rows: Buffer[] = [];
  for (let y = 0; y < height; y++) {
    const filter = y % 5;
    const row = Buffer.alloc(width * bytes + 1);
    row[0] = filter;
    for (let i = 0; i < width * bytes; i++) {
      const at = (dx: number, dy: number) =>
        i - dx * bytes < 0 || y - dy < 0 ? 0 : (pixels[(y - dy) * width * bytes + i - dx * bytes] ?? 0);
      const [left, above, corner] = [at(1, 0), at(0, 1), at(1, 1)];
      const guess = left + above - corner;
      const nearest =
        [left, above, corner].toSorted((a, b) => Math.abs(guess - a) - Math.abs(guess - b))[0] ?? 0;
      const predicted = [0, left, above, (left + above) >> 1, nearest][filter] ?? 0;
      row[i + 1] = (pixels[y * width * bytes + i] ?? 0) - predicted;
    }
    rows.push(row);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = bytes === 4 ? 6 : 2;
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const data = deflateSync(Buffer.concat(rows));
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', data.subarray(0, 20)),
    chunk('IDAT', data.subarray(20)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return { png: Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]), pixels };
}

/** PNG (third edition), 9.2, to the letter. */
function pixelsOf(png: Buffer, width: number, bytes: number): Buffer {
  const at = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const line = width * bytes;
  const pixels = Buffer.alloc((rows.length / (line + 1)) * line);
  const pixel = (x: number, y: number) => (x < 0 || y < 0 ? 0 : (pixels[y * line + x] ?? 0));
  for (let y = 0; y < rows.length / (line + 1); y++)
    for (let x = 0; x < line; x++) {
      const [left, above, corner] = [pixel(x - bytes, y), pixel(x, y - 1), pixel(x - bytes, y - 1)];
      const guess = left + above - corner;
      const nearest = [left, above, corner].toSorted((a, b) => Math.abs(guess - a) - Math.abs(guess - b));
      const predictions = [0, left, above, (left + above) >> 1, nearest[0] ?? 0];
      pixels[y * line + x] =
        (rows[y * (line + 1) + 1 + x] ?? 0) + (predictions[rows[y * (line + 1)] ?? 0] ?? 0);
    }
  return pixels;
}

test.each([3, 4].flatMap((bytes) => [0, 1, 2, 3, 4, 5, 6, 11].map((top) => [bytes, top] as const)))(
  'boxes are painted, and every other pixel of %s bytes stays, with the lowest box from row %s on [vault.sandbox.masking.screenshots]',
  (bytes, top) => {
    const { png, pixels } = pngOf(17, 13, bytes);
    const painted = paintOver(png, [
      { x: 3.4, y: 0, width: 5.2, height: 1.5 },
      { x: 15, y: top, width: 90, height: top === 11 ? 90 : 1.2 },
    ]);
    const got = pixelsOf(painted ?? Buffer.alloc(0), 17, bytes);
    for (let y = 0; y < 13; y++)
      for (let x = 0; x < 17; x++) {
        const isLow = x >= 15 && y >= top && (y < top + 2 || top === 11);
        const isIn = (x >= 3 && x < 9 && y < 2) || isLow;
        const at = (y * 17 + x) * bytes;
        const plain = [0x60, 0x60, 0x60, 0xff].slice(0, bytes);
        expect([...got.subarray(at, at + bytes)]).toEqual(
          isIn ? plain : [...pixels.subarray(at, at + bytes)],
        );
      }
  },
);

test('a picture that cannot be painted is none', () => {
  const { png } = pngOf(4, 4, 3);
  png[8 + 8 + 12] = 1;
  expect(paintOver(png, [])).toBeNull();
});
