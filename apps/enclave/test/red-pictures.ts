import { inflateSync } from 'node:zlib';
import type { OpenedBrowser } from './chromium.ts';
import { paintOver } from '../src/core/browser/png.ts';

/** A picture of the page at this address, as the painter writes them: rows without filters. */
export async function pictureOf(browser: OpenedBrowser, url: string, isWhole: boolean): Promise<Buffer> {
  const operation = { operation_type: 'navigate', value: url } as const;
  await browser.observe(operation);
  await browser.perform(operation, [operation.value]);
  const taken = await browser.screenshot(isWhole);
  if (!taken.ok) throw new Error(taken.error.code);
  return paintOver(taken.value.png, []) ?? Buffer.alloc(0);
}

/** How many pixels of a picture are red, from this row down. */
export const redIn = (png: Buffer, from = 0): number => countIn(png, from, (r, g) => r - g > 60);

/** How many are dark. */
export const darkIn = (png: Buffer, from = 0): number => countIn(png, from, (r, g) => r + g < 200);

function countIn(png: Buffer, from: number, isMeant: (red: number, green: number) => boolean): number {
  const at = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const bytes = png[25] === 6 ? 4 : 3;
  const stride = png.readUInt32BE(16) * bytes + 1;
  let count = 0;
  for (let row = from * stride; row < rows.length; row += stride)
    for (let i = row + 1; i < row + stride; i += bytes) if (isMeant(rows[i] ?? 0, rows[i + 1] ?? 0)) count++;
  return count;
}
