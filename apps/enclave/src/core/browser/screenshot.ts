import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { anywhere } from './boxes-in.ts';
import type { Screenshot } from './browser.ts';
import { stringOf } from './cdp/raw.ts';
import { fromBase64 } from './decoy/encodings.ts';
import type { Driver } from './driver.ts';
import { limits } from './limits.ts';
import type { Box, Paint } from './png.ts';
import { OperationFailed, within } from './problem.ts';
import { type Looking, secretBoxes, type Sight } from './secret-boxes.ts';

const limit = 15_000;
/** Higher pages are cut off there, in pixels. */
const maxHeight = 16_384;
/** Painted around each box: letters reach beyond it. */
const margin = 3;
/** Before a page that moved is looked at again. */
const pause = 100;

/**
 * Captures the page. INVARIANT: secrets are painted over in the captured pixels, never in the page; otherwise
 * the page could notice and undo it.
 */
export function takeScreenshot(
  driver: Driver,
  isWhole: boolean,
  looking: Omit<Looking, 'isWhole'> | null,
  paint: Paint,
): Promise<Screenshot> {
  return within(limit, capture(driver, isWhole, looking, paint));
}

async function capture(
  driver: Driver,
  isWhole: boolean,
  looking: Omit<Looking, 'isWhole'> | null,
  paint: Paint,
): Promise<Screenshot> {
  const { png, boxes } = await seen(driver, isWhole, looking);
  const painted = png === null || boxes.length === 0 ? png : await paint(png, boxes.map(withMargin));
  if (painted === null) throw new OperationFailed('interrupted');
  return { png: painted, width: painted.readUInt32BE(16), height: painted.readUInt32BE(20) };
}

type Seen = { readonly png: Buffer | null; readonly boxes: readonly Box[] };

/** A picture of a page in which no secret moved meanwhile; one of which nothing is to be seen where they do not rest. */
async function seen(
  driver: Driver,
  isWhole: boolean,
  looking: Omit<Looking, 'isWhole'> | null,
): Promise<Seen> {
  const until = performance.now() + limits.moving;
  for (;;) {
    const { png, before, after } = await taken(driver, isWhole, looking);
    const boxes = [...before.boxes, ...after.boxes];
    // Between both it may have stood anywhere.
    if (boxes.length === 0 || isDeepStrictEqual(before, after)) return { png, boxes };
    if (performance.now() > until) return { png, boxes: [anywhere] };
    await setTimeout(pause);
  }
}

const nothing: Sight = { boxes: [], scrolls: [] };

async function taken(driver: Driver, isWhole: boolean, looking: Omit<Looking, 'isWhole'> | null) {
  const { sessionId } = driver.page();
  const whole = isWhole ? await wholePage(driver) : {};
  const look = (): Promise<Sight> =>
    looking === null ? Promise.resolve(nothing) : secretBoxes(driver, { ...looking, isWhole });
  // Before and after: what moves meanwhile differs. Chromium draws the frame after it has answered other questions that
  // wait, so the second look begins when the picture is there.
  const first = look();
  const taking = driver.send<Buffer | null>(
    sessionId,
    'Page.captureScreenshot',
    { format: 'png', optimizeForSpeed: true, ...whole },
    { raw: decode },
  );
  const [before, [png, after]] = await Promise.all([
    first,
    taking.then(async (picture) => [picture, await look()] as const),
  ]);
  return { png, before, after };
}

const withMargin = ({ x, y, width, height }: Box): Box => ({
  x: x - margin,
  y: y - margin,
  width: width + 2 * margin,
  height: height + 2 * margin,
});

async function wholePage(driver: Driver): Promise<object> {
  const { cssContentSize } = await driver.send<{
    cssContentSize: { readonly width: number; readonly height: number };
  }>(driver.page().sessionId, 'Page.getLayoutMetrics');
  const { width, height } = cssContentSize;
  const clip = { x: 0, y: 0, width, height: Math.min(height, maxHeight), scale: 1 };
  return { captureBeyondViewport: true, clip };
}

function decode(answer: Buffer): Buffer | null {
  const data = stringOf(answer, 'data');
  return data === null ? null : fromBase64(data);
}
