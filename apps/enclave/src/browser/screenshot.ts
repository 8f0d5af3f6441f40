import type { Screenshot } from './browser.ts';
import { stringOf } from './cdp/raw.ts';
import { fromBase64 } from './decoy/encodings.ts';
import type { Driver } from './driver.ts';
import { type Box, paintOver } from './png.ts';
import { OperationFailed, within } from './problem.ts';
import { type FindSecrets, secretBoxes } from './secret-boxes.ts';

const limit = 15_000;
/** Higher pages are cut off there, in pixels. */
const mostHeight = 16_384;
/** Painted around each box: letters reach beyond it. */
const margin = 3;

/** What the page looks like. With `find`, what it finds is painted over, outside of the page. */
export function takeScreenshot(
  driver: Driver,
  isWhole: boolean,
  find: FindSecrets | null,
): Promise<Screenshot> {
  return within(limit, capture(driver, isWhole, find));
}

async function capture(driver: Driver, isWhole: boolean, find: FindSecrets | null): Promise<Screenshot> {
  const { sessionId } = driver.page();
  const whole = isWhole ? await wholePage(driver) : {};
  const look = (): Promise<Box[]> =>
    find === null ? Promise.resolve([]) : secretBoxes(driver, find, isWhole);
  // Before and after: what moves meanwhile is painted in both places.
  const [before, png, after] = await Promise.all([
    look(),
    driver.send<Buffer | null>(
      sessionId,
      'Page.captureScreenshot',
      { format: 'png', optimizeForSpeed: true, ...whole },
      { raw: decode },
    ),
    look(),
  ]);
  const boxes = [...before, ...after].map(({ x, y, width, height }) => ({
    x: x - margin,
    y: y - margin,
    width: width + 2 * margin,
    height: height + 2 * margin,
  }));
  const painted = png === null || boxes.length === 0 ? png : paintOver(png, boxes);
  if (painted === null) throw new OperationFailed('interrupted');
  return { png: painted, width: painted.readUInt32BE(16), height: painted.readUInt32BE(20) };
}

async function wholePage(driver: Driver): Promise<object> {
  const { cssContentSize } = await driver.send<{
    cssContentSize: { readonly width: number; readonly height: number };
  }>(driver.page().sessionId, 'Page.getLayoutMetrics');
  const { width, height } = cssContentSize;
  const clip = { x: 0, y: 0, width, height: Math.min(height, mostHeight), scale: 1 };
  return { captureBeyondViewport: true, clip };
}

function decode(answer: Buffer): Buffer | null {
  const data = stringOf(answer, 'data');
  return data === null ? null : fromBase64(data);
}
