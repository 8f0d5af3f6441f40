import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Begun } from './begun.ts';
import type { PausedRequest } from './protocol.ts';

const request = { url: 'https://site.example/api', method: 'DELETE', headers: {} };
const told = (requestId: string) => ({ method: 'Network.requestWillBeSent', params: { requestId, request } });
const handed = (networkId: string, more: Partial<PausedRequest> = {}): PausedRequest => ({
  requestId: `interception-${networkId}`,
  networkId,
  request,
  frameId: 'frame',
  resourceType: 'XHR',
  ...more,
});
const isSeen = (begun: Begun) => Promise.race([begun.seen().then(() => true), setImmediate(false)]);

test('a request is waited for until it is handed over, whether it was told of before or after [vault.review.act.at-the-request]', async () => {
  const begun = new Begun();
  begun.hear(told('1'));
  expect(await isSeen(begun)).toBe(false);
  begun.see(handed('1'));
  expect(await isSeen(begun)).toBe(true);
  begun.see(handed('2'));
  begun.hear(told('2'));
  expect(await isSeen(begun)).toBe(true);
});

test('what a server sends on is waited for again, and an answer is no request', async () => {
  const begun = new Begun();
  for (const hand of [handed('1'), handed('1', { responseStatusCode: 200 })]) {
    begun.hear(told('1'));
    expect(await isSeen(begun)).toBe(false);
    begun.see(hand);
    expect(await isSeen(begun)).toBe(true);
  }
  begun.hear(told('1'));
  expect(await isSeen(begun)).toBe(false);
});

test('what was handed over before Chromium tells of requests is none of those that it tells of', async () => {
  const begun = new Begun();
  begun.see(handed('1'));
  begun.begin();
  begun.hear(told('1'));
  expect(await isSeen(begun)).toBe(false);
});

test.each(['Network.loadingFailed', 'Network.requestServedFromCache'])(
  'a request that acts by its address is waited for whatever its method, until %s',
  async (method) => {
    const begun = new Begun();
    const acting = { ...request, url: 'https://site.example/orders/7/delete', method: 'GET' };
    begun.hear({ method: 'Network.requestWillBeSent', params: { requestId: '1', request: acting } });
    expect(await isSeen(begun)).toBe(false);
    begun.hear({ method, params: { requestId: '1' } });
    expect(await isSeen(begun)).toBe(true);
  },
);
