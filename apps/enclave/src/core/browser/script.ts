import { exceeded } from '@countersign/service/json-shape';
import type { Driver } from './driver.ts';
import { limits, maxText } from './limits.ts';
import { OperationFailed } from './problem.ts';
import type { Evaluated } from './protocol.ts';

/**
 * Runs the body of an async function in a world of its own of the page itself: it shares the document with the page, and
 * nothing else. For scripts alone that act, where that was agreed to.
 */
export async function runInPage(driver: Driver, source: string): Promise<unknown> {
  const { id: frameId, sessionId } = driver.mainFrame();
  const making = driver.send<{ executionContextId: number }>(sessionId, 'Page.createIsolatedWorld', {
    frameId,
    worldName: 'script',
  });
  // By itself: a script of which was said that it is late is not to run later.
  const { executionContextId: contextId } = await driver.inTime(sessionId, limits.element, making);
  const running = driver.send<Evaluated>(sessionId, 'Runtime.evaluate', {
    expression: wrap(source),
    contextId,
    awaitPromise: true,
    returnByValue: true,
    userGesture: false,
  });
  return readResult(await driver.inTime(sessionId, limits.script, running));
}

const wrap = (body: string): string =>
  `(async () => { const text = JSON.stringify(await (async function () {${body}\n})());` +
  ` if (text !== undefined && text.length > ${maxText}) throw 0; return text; })()`;

const resultLimits = { depth: 64, members: 100_000 };

/** The JSON text that a script ended with, as what it says. */
export function readResult({ result, exceptionDetails }: Evaluated): unknown {
  if (exceptionDetails !== undefined) throw new OperationFailed('script_failed');
  if (typeof result.value !== 'string') return null;
  // Whoever records and answers it walks over it by recursion.
  if (exceeded(Buffer.from(result.value), resultLimits) !== null) throw new OperationFailed('script_failed');
  return JSON.parse(result.value) as unknown;
}
