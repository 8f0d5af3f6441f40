import type { Text } from './browser.ts';
import { type Fill, typedOf } from './decoy/fills.ts';
import { limits, mostText, type Stage } from './stage.ts';
import { OperationFailed, within } from './problem.ts';
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
  const { executionContextId: contextId } = await driver.send<{ executionContextId: number }>(
    sessionId,
    'Page.createIsolatedWorld',
    { frameId, worldName: 'script' },
  );
  const running = driver.send<Evaluated>(sessionId, 'Runtime.evaluate', {
    expression: wrap(body),
    contextId,
    awaitPromise: true,
    returnByValue: true,
    userGesture: false,
  });
  try {
    return readResult(await within(limits.script, running));
  } catch (error) {
    driver.send(sessionId, 'Runtime.terminateExecution').catch(() => undefined);
    throw error;
  }
}

const wrap = (body: string): string =>
  `(async () => { const text = JSON.stringify(await (async function () {${body}\n})());` +
  ` if (text !== undefined && text.length > ${mostText}) throw 0; return text; })()`;

function readResult({ result, exceptionDetails }: Evaluated): unknown {
  if (exceptionDetails !== undefined) throw new OperationFailed('script_failed');
  return typeof result.value === 'string' ? (JSON.parse(result.value) as unknown) : null;
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'null');
