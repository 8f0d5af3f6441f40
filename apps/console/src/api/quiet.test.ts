import { dashboardCodes } from '@countersign/protocol/dashboard/codes';
import { QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ask, createQueries, refresh } from './queries.ts';
import { quietly } from './quiet.ts';

/** A page that shows who is signed in, at a dashboard that answers 401 once the session has ended. */
async function open() {
  let over = false;
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string, { signal }: RequestInit) => {
    signal?.throwIfAborted();
    asked.push(path);
    const { code, http } = dashboardCodes[over ? 'ACCESS_TOKEN_REQUIRED' : 'SUCCESS'];
    return Response.json({ code, msg: '', data: over ? null : {} }, { status: http });
  });
  const signedOut = vi.fn();
  const queries = createQueries(signedOut);
  const observer = new QueryObserver(queries, ask('GET /api/auth/me', {}));
  const close = observer.subscribe(() => {});
  onTestFinished(() => {
    close();
    vi.unstubAllGlobals();
  });
  await observer.refetch();
  asked.length = 0;
  return { queries, asked, signedOut, endSession: () => (over = true) };
}

test('what ends the session is not disturbed by a query that is refused meanwhile [dashboard.console.session.quiet]', async () => {
  const { queries, asked, signedOut, endSession } = await open();
  await quietly(queries, async () => {
    endSession();
    void refresh(queries, '/api/auth');
    await new Promise(setImmediate);
    queries.clear();
  });
  await new Promise(setImmediate);
  expect([asked, signedOut.mock.calls]).toEqual([[], []]);
});

test('what was held back is asked when the session has not ended [dashboard.console.session.quiet]', async () => {
  const { queries, asked } = await open();
  await quietly(queries, async () => {
    void refresh(queries, '/api/auth');
    await new Promise(setImmediate);
    expect(asked).toEqual([]);
  });
  await expect.poll(() => asked).toEqual(['/api/auth/me']);
});

test('a server that does not answer holds the page for ten seconds, no longer [dashboard.console.session.quiet]', async () => {
  const { queries, asked } = await open();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let answer = (): void => {};
  const ending = quietly(queries, () => new Promise<void>((resolve) => (answer = resolve)));
  void refresh(queries, '/api/auth');
  await vi.advanceTimersByTimeAsync(9_999);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toContain('/api/auth/me');
  answer();
  await ending;
});

test('a second end holds back what the first one held [dashboard.console.session.quiet]', async () => {
  const { queries, asked } = await open();
  let answer = (): void => {};
  const first = quietly(queries, () => new Promise<void>((resolve) => (answer = resolve)));
  void refresh(queries, '/api/auth');
  await quietly(queries, async () => {
    answer();
    await first;
    await new Promise(setImmediate);
    expect(asked).toEqual([]);
  });
  await vi.waitUntil(() => asked.length > 0);
});

test('an end that is over lets nothing pass while another one goes on [dashboard.console.session.quiet]', async () => {
  const { queries, asked } = await open();
  let answer = (): void => {};
  const slow = quietly(queries, () => new Promise<void>((resolve) => (answer = resolve)));
  await quietly(queries, async () => {});
  await new Promise(setImmediate);
  expect(asked).toEqual([]);
  answer();
  await slow;
  await expect.poll(() => asked.length).toBeGreaterThan(0);
});
