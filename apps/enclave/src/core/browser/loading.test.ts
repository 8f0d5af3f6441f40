import { expect, test } from 'vitest';
import { Loading } from './loading.ts';

const started = (loaderId: string) => ({
  method: 'Page.frameStartedNavigating',
  params: { frameId: 'page', loaderId },
});
const stopped = { method: 'Page.frameStoppedLoading', params: { frameId: 'page' } };
const shows = (loaderId: string) => ({
  method: 'Page.frameNavigated',
  params: { frame: { id: 'page', loaderId } },
});

function hearing(...events: Parameters<Loading['hear']>[0][]): Loading {
  const loading = new Loading();
  for (const event of events) loading.hear(event);
  return loading;
}

test('where a page goes between the answer to a navigation and what it shows is late, and nothing else is [vault.sandbox.hostile.left]', () => {
  const loading = hearing(started('own'));
  expect(loading.isLate('page')).toBe(false);
  loading.setPending('page', 'own');
  expect(loading.isLate('page')).toBe(false);
  loading.hear(started('of the old page'));
  expect(loading.isLate('page')).toBe(true);
  loading.hear(shows('own'));
  expect(loading.isLate('page')).toBe(true);
  loading.hear(started('of the new page'));
  expect(loading.isLate('page')).toBe(false);
});

test('a document that is already shown lets its page go on', () => {
  const loading = hearing(started('own'), shows('own'));
  loading.setPending('page', 'own');
  loading.hear(started('of the new page'));
  expect(loading.isLate('page')).toBe(false);
});

test('once it is given up to go there, the page may go where it wants to', () => {
  const loading = hearing(started('own'));
  loading.setPending('page', 'own');
  loading.hear(started('of the old page'));
  loading.clearPending('page');
  expect(loading.isLate('page')).toBe(false);
  loading.hear(started('of the old page, again'));
  expect(loading.isLate('page')).toBe(false);
});

test('what is coming is waited for, though something else of the frame was given up', async () => {
  const loading = hearing(started('own'));
  loading.setPending('page', 'own');
  const shown = loading.untilCommitted('page', 'own');
  loading.hear(stopped);
  loading.hear(shows('own'));
  expect(await shown).toBe(true);
});

test('of a page that is gone nothing is waited for', async () => {
  const loading = hearing(started('own'));
  loading.setPending('page', 'own');
  const shown = loading.untilCommitted('page', 'own');
  loading.end('page');
  expect(await shown).toBe(false);
});
