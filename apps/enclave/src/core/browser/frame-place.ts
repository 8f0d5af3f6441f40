import type { Driver } from './driver.ts';
import type { Frame } from './frames.ts';

type Point = { readonly x: number; readonly y: number };

/** From the view of a frame to that of its page. */
export type Place = (x: number, y: number) => Point;

type Model = {
  readonly model: {
    /** Four corners, as they are seen: transformed, in the view of the outermost frame of the same process. */
    readonly content: readonly number[];
    readonly border: readonly number[];
    /** Layout width in pixels, borders included. */
    readonly width: number;
    readonly height: number;
  };
};

/**
 * Returns the position of a frame in its page, with borders, padding and transforms of all its ancestors
 * applied.
 */
export async function placeOf(driver: Driver, frame: Frame): Promise<Place> {
  const parent = frame.parentId === null ? null : driver.frames.get(frame.parentId);
  if (parent === null) return (x, y) => ({ x, y });
  const { sessionId } = parent;
  const owner = await driver.send<{ backendNodeId: number }>(sessionId, 'DOM.getFrameOwner', {
    frameId: frame.id,
  });
  const [{ model }, outer] = await Promise.all([
    driver.send<Model>(sessionId, 'DOM.getBoxModel', { backendNodeId: owner.backendNodeId }),
    placeOf(driver, outermostOfProcess(driver, parent)),
  ]);
  const corner = (quad: readonly number[], at: number): Point => ({
    x: quad[at * 2] ?? 0,
    y: quad[at * 2 + 1] ?? 0,
  });
  const origin = corner(model.content, 0);
  const [first, second, last] = [corner(model.border, 0), corner(model.border, 1), corner(model.border, 3)];
  const right = along(first, second, model.width);
  const down = along(first, last, model.height);
  return (x, y) => outer(origin.x + x * right.x + y * down.x, origin.y + x * right.y + y * down.y);
}

/** Returns the vector of one pixel of the frame, in the coordinates of its page. */
const along = (from: Point, to: Point, length: number): Point => ({
  x: (to.x - from.x) / Math.max(1, length),
  y: (to.y - from.y) / Math.max(1, length),
});

function outermostOfProcess(driver: Driver, frame: Frame): Frame {
  const parent = frame.parentId === null ? null : driver.frames.get(frame.parentId);
  return parent === null || parent.sessionId !== frame.sessionId ? frame : outermostOfProcess(driver, parent);
}
