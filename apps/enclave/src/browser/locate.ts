import { setTimeout as wait } from 'node:timers/promises';
import { CdpError } from './cdp/connection.ts';
import type { Driver } from './driver.ts';
import type { Frame } from './frames.ts';
import type { Look } from './in-page/describe.ts';
import { OperationFailed } from './problem.ts';

/** An element as it was when it was looked at. */
export type Located = Look & {
  readonly frame: Frame;
  readonly loaderId: string;
};

export type Wish = {
  readonly selector: string;
  /** How much reading it would give. */
  readonly isRead: boolean;
  readonly needsSight: boolean;
  /** How long to wait for it, in milliseconds. */
  readonly limit: number;
  /** Frames out of scope are not looked into. */
  readonly isAllowed: (frame: Frame) => boolean;
};

/** Both in milliseconds. */
const [between, rootsLimit] = [50, 5000];

/** The first visible element that matches in any frame; else the first. Null when none comes in time. */
export async function locate(driver: Driver, wish: Wish): Promise<Located | null> {
  const end = performance.now() + wish.limit;
  for (let pass = 0; ; pass++) {
    const found = await lookOnce(driver, wish, pass > 0);
    if (found !== null && (found.visible || !wish.needsSight)) return found;
    if (performance.now() >= end) return found;
    await wait(between);
  }
}

async function lookOnce(driver: Driver, wish: Wish, isThorough: boolean): Promise<Located | null> {
  const frames = driver.frames.within(driver.page().targetId).filter(wish.isAllowed);
  const looks = await Promise.all(frames.map((frame) => lookInto(driver, frame, wish, isThorough)));
  const found = looks.filter((look) => look !== null);
  return found.find(({ visible }) => visible) ?? found[0] ?? null;
}

async function lookInto(
  driver: Driver,
  frame: Frame,
  wish: Wish,
  isThorough: boolean,
): Promise<Located | null> {
  const { loaderId } = frame;
  try {
    const look = await driver.call(frame, 'look', wish.selector, wish.isRead);
    if (look === 'invalid') throw new OperationFailed('no_such_element');
    if (look !== null) return { ...look, frame, loaderId };
    if (!isThorough) return null;
    if (!(await driver.inTime(frame.sessionId, rootsLimit, openClosedRoots(driver, frame)))) return null;
    const again = await driver.call(frame, 'look', wish.selector, wish.isRead);
    return again === null || again === 'invalid' ? null : { ...again, frame, loaderId };
  } catch (error) {
    // The document went away meanwhile: the next pass asks the new one.
    if (!(error instanceof CdpError)) throw error;
    if (frame.loaderId === loaderId) frame.world = null;
    return null;
  }
}

type DomNode = {
  readonly backendNodeId: number;
  readonly nodeName: string;
  readonly shadowRootType?: string;
  readonly children?: readonly DomNode[];
  readonly shadowRoots?: readonly DomNode[];
};

/** Hands our world the shadow roots that scripts cannot reach. False when there are none. */
async function openClosedRoots(driver: Driver, frame: Frame): Promise<boolean> {
  const { sessionId } = frame;
  const executionContextId = await driver.world(frame);
  const document = await driver.send<{ result: { objectId: string } }>(sessionId, 'Runtime.evaluate', {
    expression: 'document',
    contextId: executionContextId,
  });
  const { node } = await driver.send<{ node: DomNode }>(sessionId, 'DOM.describeNode', {
    objectId: document.result.objectId,
    depth: -1,
    pierce: true,
  });
  const roots = closedRoots(node);
  const objects = await Promise.all(
    roots.map(({ backendNodeId }) =>
      driver.send<{ object: { objectId: string } }>(sessionId, 'DOM.resolveNode', {
        backendNodeId,
        executionContextId,
      }),
    ),
  );
  await driver.send(sessionId, 'Runtime.callFunctionOn', {
    functionDeclaration: 'function(...roots) { inPage.adopt(roots) }',
    executionContextId,
    arguments: objects.map(({ object }) => ({ objectId: object.objectId })),
  });
  return roots.length > 0;
}

const closedRoots = (node: DomNode): DomNode[] => [
  ...(node.shadowRoots ?? []).flatMap((root) => [
    ...(root.shadowRootType === 'closed' ? [root] : []),
    ...closedRoots(root),
  ]),
  ...(node.children ?? []).flatMap(closedRoots),
];
