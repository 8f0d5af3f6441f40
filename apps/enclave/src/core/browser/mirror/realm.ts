import type { PresentedResponse } from '../presented-response.ts';

/** Ways out, stores and clocks of a window. The mirror has no network anyway; without these a script is told so at once. */
const waysOut =
  `fetch fetchLater XMLHttpRequest WebSocket WebSocketStream WebTransport EventSource RTCPeerConnection
  webkitRTCPeerConnection Worker SharedWorker BroadcastChannel MessageChannel Notification PaymentRequest postMessage open
  setTimeout setInterval setImmediate requestAnimationFrame requestIdleCallback localStorage sessionStorage indexedDB caches
  cookieStore alert confirm prompt print`.split(/\s+/);

/** Run once in each document of the mirror. */
export const withoutWaysOut = `for (const name of ${JSON.stringify(waysOut)}) try {
  delete globalThis[name];
  Object.defineProperty(globalThis, name, { value: undefined, configurable: true });
} catch {}
for (const name of ['sendBeacon', 'serviceWorker', 'clipboard', 'credentials', 'storage', 'locks']) try {
  Object.defineProperty(Navigator.prototype, name, { value: undefined });
} catch {}`;

/** The body of an async function as an expression, whose value is the JSON text of what it returns. */
export function readingScript(
  source: string,
  responses: readonly PresentedResponse[],
  maxText: number,
): string {
  return `(async (fetch) => {
  if (fetch !== undefined) Object.defineProperty(globalThis, 'fetch', { value: fetch });
  const text = JSON.stringify(await (async function () {${source}\n})());
  if (text !== undefined && text.length > ${maxText}) throw 0;
  return text;
})(${responses.length === 0 ? 'undefined' : answering(responses)})`;
}

/** A \`fetch\` that answers, in order, what was answered to the enclave. */
const answering = (responses: readonly PresentedResponse[]): string => `((left) => async () => {
  const next = left.shift();
  if (next === undefined) throw new TypeError('there is no network here');
  const response = new Response([101, 204, 205, 304].includes(next.status) ? null : next.body, { status: next.status, headers: next.headers });
  Object.defineProperty(response, 'url', { value: next.url });
  return response;
})(${JSON.stringify(responses)})`;
