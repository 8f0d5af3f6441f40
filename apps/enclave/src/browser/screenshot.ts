import type { Screenshot } from './browser.ts';
import { fromBase64 } from './decoy/encodings.ts';
import { stringOf } from './cdp/raw.ts';
import type { Driver } from './driver.ts';
import { OperationFailed, within } from './problem.ts';

const limit = 15_000;

/** What the page looks like. */
export async function takeScreenshot(driver: Driver, fullPage: boolean): Promise<Screenshot> {
  const { sessionId } = driver.page();
  const png = await within(
    limit,
    driver.send<Buffer | null>(
      sessionId,
      'Page.captureScreenshot',
      { format: 'png', captureBeyondViewport: fullPage, optimizeForSpeed: true },
      { raw: (answer) => decode(answer) },
    ),
  );
  if (png === null) throw new OperationFailed('interrupted');
  return { png, width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

function decode(answer: Buffer): Buffer | null {
  const data = stringOf(answer, 'data');
  return data === null ? null : fromBase64(data);
}
