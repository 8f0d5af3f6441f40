import { setTimeout as wait } from 'node:timers/promises';
import { CdpError } from './cdp/connection.ts';
import { openClosedRoots } from './closed-roots.ts';
import type { Driver } from './driver.ts';
import type { Frame } from './frames.ts';
import type { Aim, Look } from './in-page/describe.ts';
import type { Match } from './in-page/mirrored.ts';
import { limits } from './limits.ts';
import type { Mirror, Sighted } from './mirror/mirror.ts';
import { OperationFailed } from './problem.ts';

/** An element as it was when it was looked at. */
export type Located = Look & {
  readonly frame: Frame;
  readonly loaderId: string;
  /** The place of the element in the copy of the page in which it was found. */
  readonly place: number;
  /** The amount of text that reading it would return; null unless it is to be read. */
  readonly reading: Match['reading'];
};

export type Wish = {
  readonly selector: string;
  /** True if the operation reads the element. */
  readonly isRead: boolean;
  readonly needsSight: boolean;
  readonly aim: Aim;
  /** Time limit, in milliseconds. */
  readonly limit: number;
};

/** Pause between two attempts, in milliseconds. */
const between = 50;

/** The first visible element that matches in any frame; else the first. Null when none comes in time. */
export async function locate(driver: Driver, mirror: Mirror, wish: Wish): Promise<Located | null> {
  const end = performance.now() + wish.limit;
  for (;;) {
    const found = await lookOnce(driver, mirror, wish);
    if (found !== null && (found.visible || !wish.needsSight)) return found;
    if (performance.now() >= end) return found;
    await wait(between);
  }
}

async function lookOnce(
  driver: Driver,
  mirror: Mirror,
  { selector, isRead, aim }: Wish,
): Promise<Located | null> {
  try {
    const sighted = await mirror.find(selector, isRead);
    return sighted === null ? null : await lookAt(driver, sighted, aim);
  } catch (error) {
    // The document, or its window, went away meanwhile: the next pass asks what is shown then.
    if (!(error instanceof CdpError) || error.kind === 'gone') throw error;
    return null;
  }
}

/** The copy said which element is meant; what it is, the page itself says. */
async function lookAt(
  driver: Driver,
  { frame, nodeId, place, reading }: Sighted,
  aim: Aim,
): Promise<Located | null> {
  const { loaderId, sessionId } = frame;
  try {
    const executionContextId = await driver.inTime(sessionId, limits.element, driver.world(frame));
    const { object } = await driver.send<{ object: { objectId: string } }>(sessionId, 'DOM.resolveNode', {
      backendNodeId: nodeId,
      executionContextId,
    });
    const look = await driver.callOn(frame, 'look', object.objectId, aim);
    return look === null ? null : { ...look, frame, loaderId, place, reading };
  } catch (error) {
    if (error instanceof CdpError && frame.loaderId === loaderId) frame.world = null;
    throw error;
  }
}

/** The focused element is found in the page itself, not in its copy. */
const notCopied = { place: -1, reading: null };

/**
 * The element that keys go to, whichever frame it stands in; null where there is none. Fails as `out_of_scope` where
 * it stands in a frame that is not looked into.
 */
export async function locateFocus(
  driver: Driver,
  isAllowed: (frame: Frame) => boolean,
  frame: Frame = driver.mainFrame(),
): Promise<Located | null> {
  const { loaderId } = frame;
  const look = await driver.call(frame, 'lookAtFocus');
  if (look === null || look === 'elsewhere') return null;
  if (look !== 'frame') return throughClosed(driver, frame, { ...look, frame, loaderId, ...notCopied });
  const inner = driver.frames.within(frame.id).filter(({ parentId }) => parentId === frame.id);
  for (const child of inner.filter(isAllowed)) {
    const found = await locateFocus(driver, isAllowed, child);
    if (found !== null) return found;
  }
  throw new OperationFailed('out_of_scope');
}

/** Looks for the focused element inside closed shadow roots, if the element found cannot take keys itself. */
async function throughClosed(driver: Driver, frame: Frame, seen: Located): Promise<Located | null> {
  if (/^(a|area|button|input|select|summary|textarea)$/.test(seen.target.tag)) return seen;
  if (!(await driver.inTime(frame.sessionId, limits.element, openClosedRoots(driver, frame)))) return seen;
  const look = await driver.call(frame, 'lookAtFocus');
  return look === null || typeof look === 'string'
    ? null
    : { ...look, frame, loaderId: seen.loaderId, ...notCopied };
}
