import { expect, test } from 'vitest';
import { emptyTerms, readTerms } from './terms.ts';

const now = new Date(2026, 10, 21, 12);
const read = (change: object) => readTerms({ ...emptyTerms, service: 'shop', ...change }, now);

test('what is left out is not sent; the last day is whole', () => {
  expect(read({})).toEqual({ ok: true, value: { service_id: 'shop' } });
  expect(read({ lastDay: '2026-11-21', label: ' mine ', fillMode: 'auto' })).toEqual({
    ok: true,
    value: {
      service_id: 'shop',
      label: 'mine',
      fill_mode: 'auto',
      expires_at: new Date(2026, 10, 22).toISOString(),
    },
  });
});

test.each(['https://shop.example', 'https://*.shop.example/a/*', 'http://127.0.0.1:4030/x'])(
  '%s may be a scope',
  (url) => {
    expect(read({ urls: `\n ${url} \n` })).toMatchObject({ value: { allowed_urls: [url] } });
  },
);

test.each([
  [{ service: ' ' }, 'service'],
  [{ lastDay: '2026-11-20' }, 'lastDay'],
  [{ urls: 'shop.example' }, 'urls'],
  [{ urls: 'https://shop.*.example' }, 'urls'],
  [{ urls: 'https://a.example/*/b' }, 'urls'],
  [{ urls: 'ftp://a.example' }, 'urls'],
])('%j is told beside its field', (change, field) => {
  const terms = read(change);
  expect(terms.ok ? [] : Object.keys(terms.error)).toEqual([field]);
});
