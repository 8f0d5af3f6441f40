import { anywhere, type FrameBoxes } from './boxes-in.ts';
import type { Driver } from './driver.ts';
import { type Place, placeOf } from './frame-place.ts';
import { limits } from './limits.ts';
import type { Box } from './png.ts';
import { OperationFailed } from './problem.ts';
import { pictureStyles } from './repainted.ts';

/**
 * Finds the areas that show secrets in Chromium's raw snapshots (taken with `pictureStyles`), off the main
 * thread.
 */
export type FindBoxes = (
  snapshots: readonly Uint8Array[],
  isGiven: boolean,
) => Promise<readonly FrameBoxes[]>;

export type Looking = {
  readonly findBoxes: FindBoxes;
  /** True for the whole page, false for the viewport. */
  readonly isWhole: boolean;
  /** The page was given a secret, and may have drawn it: what has no text is painted over, too. */
  readonly isGiven: boolean;
};

/** Whether a page of these snapshots shows a secret, a name of an account not counted; off this thread. */
export type ShowsSecret = (snapshots: readonly Uint8Array[]) => Promise<boolean>;

/** The areas that show secrets, and the scroll offsets of their containers. */
export type Sight = { readonly boxes: readonly Box[]; readonly scrolls: readonly number[] };

/**
 * Where secrets and decoys stand in the page now, in its coordinates, scrolled or whole: in texts and fields of every
 * frame, closed shadow roots too.
 */
export async function secretBoxes(driver: Driver, { findBoxes, isWhole, isGiven }: Looking): Promise<Sight> {
  const found = await findBoxes(await snapshotsOf(driver), isGiven);
  const scroll = found[0]?.scroll;
  const [left, top] = isWhole ? [scroll?.x ?? 0, scroll?.y ?? 0] : [0, 0];
  const boxes = await Promise.all(
    found.map(async ({ frameId, boxes, fonts }) => {
      if (boxes.length === 0) return [];
      const frame = driver.frames.get(frameId);
      if (frame === null) throw new OperationFailed('interrupted');
      const [place, isOdd] = await Promise.all([
        placeOf(driver, frame),
        fonts.length > 0 && driver.call(frame, 'outgrow', [...fonts]),
      ]);
      return isOdd ? [anywhere] : boxes.map((box) => placed(box, place));
    }),
  );
  return {
    boxes: boxes.flat().map((box) => ({ ...box, x: box.x + left, y: box.y + top })),
    // A page is what shows its frames.
    scrolls: found.flatMap(({ boxes, scroll }, i) =>
      i === 0 || boxes.length > 0 ? [scroll.x, scroll.y] : [],
    ),
  };
}

/** Takes a snapshot of every process that renders a part of the page, with `pictureStyles`. */
export async function snapshotsOf(driver: Driver): Promise<readonly Uint8Array[]> {
  const page = driver.page();
  driver.checkAnswers(page);
  const frames = driver.frames.within(page.targetId);
  const sessions = [...new Set(frames.map(({ sessionId }) => sessionId))];
  return Promise.all(sessions.map((sessionId) => snapshotOf(driver, sessionId, pictureStyles)));
}

/** Enough for a page of several hundred thousand nodes; more would take memory from other sessions. */
const maxSnapshotBytes = 48 * 1024 * 1024;

/** Returns the snapshot as Chromium's raw bytes; it is parsed off the main thread. */
export async function snapshotOf(
  driver: Driver,
  sessionId: string,
  computedStyles: readonly string[],
): Promise<Uint8Array> {
  const raw = (answer: Buffer) => (answer.length > maxSnapshotBytes ? null : Uint8Array.from(answer));
  const taking = driver.send<Uint8Array | null>(
    sessionId,
    'DOMSnapshot.captureSnapshot',
    { computedStyles },
    { raw },
  );
  const snapshot = await driver.inTime(sessionId, limits.element, taking);
  if (snapshot !== null) return snapshot;
  throw new OperationFailed('not_permitted', 'The page is too large to be looked at: navigate elsewhere.');
}

/** The upright box around one that may stand askew. */
function placed({ x, y, width, height }: Box, place: Place): Box {
  const corners = [place(x, y), place(x + width, y), place(x, y + height), place(x + width, y + height)];
  const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}
