import type { Text } from './browser.ts';
import { type Fill, typedOf } from './decoy/fills.ts';
import { limits, mostText, type Stage } from './stage.ts';
import { OperationFailed } from './problem.ts';
import type { Evaluated } from './protocol.ts';

/**
 * Runs the body of an async function in a world of its own: it shares the document with the page, and nothing else. A
 * placeholder in it is a JSON string that holds the decoy.
 */
export async function runScript({ driver, fills }: Stage, value: Text): Promise<unknown> {
  const parts = await fills.partsOf(value);
  if (parts === null) throw new OperationFailed('not_permitted');
  const frame = driver.mainFrame();
  const { id: frameId, loaderId, url, sessionId } = frame;
  for (const part of parts)
    if (typeof part !== 'string') {
      const fill: Fill = {
        parts: [part],
        typed: typedOf([part]),
        frameId,
        loaderId,
        origin: originOf(url),
        field: null,
        sentTo: null,
      };
      fills.add(fill);
    }
  const body = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part.decoy))).join('');
  const making = driver.send<{ executionContextId: number }>(sessionId, 'Page.createIsolatedWorld', {
    frameId,
    worldName: 'script',
  });
  // By itself: a script of which was said that it is late is not to run later.
  const { executionContextId: contextId } = await driver.inTime(sessionId, limits.element, making);
  const running = driver.send<Evaluated>(sessionId, 'Runtime.evaluate', {
    expression: wrap(body),
    contextId,
    awaitPromise: true,
    returnByValue: true,
    userGesture: false,
  });
  return readResult(await driver.inTime(sessionId, limits.script, running));
}

const wrap = (body: string): string =>
  `(async () => { const text = JSON.stringify(await (async function () {${body}\n})());` +
  ` if (text !== undefined && text.length > ${mostText}) throw 0; return text; })()`;

function readResult({ result, exceptionDetails }: Evaluated): unknown {
  if (exceptionDetails !== undefined) throw new OperationFailed('script_failed');
  return typeof result.value === 'string' ? (JSON.parse(result.value) as unknown) : null;
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'null');
