import type { Driver } from './driver.ts';
import type { Frame } from './frames.ts';

type DomNode = {
  readonly backendNodeId: number;
  readonly nodeName: string;
  readonly shadowRootType?: string;
  readonly children?: readonly DomNode[];
  readonly shadowRoots?: readonly DomNode[];
};

/** Hands our world the shadow roots that scripts cannot reach. False when there are none. */
export async function openClosedRoots(driver: Driver, frame: Frame): Promise<boolean> {
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
