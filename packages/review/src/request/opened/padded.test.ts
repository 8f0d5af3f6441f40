import { expect, test } from 'vitest';
import { shop } from '../../../test/corpus/situations.ts';
import { processorTime } from '../../../test/processor-time.ts';
import { requestFactsOf } from '../facts.ts';
import { judgeRequest } from '../judge.ts';
import { actsWhenFetched, actsWhenOpened } from '../kinds.ts';

const about = { task: 'Log in and read my orders', approval: 'auto' } as const;
const rulesOf = (method: string, path: string, body = ''): string[] => {
  const url = shop + path;
  const contentType = 'application/json';
  const sent = { method, url, resource: 'fetch', contentType, body, carriesCredential: false };
  const facts = requestFactsOf({ ...sent, pageUrl: `${shop}/home` }, about, (text) => text);
  return judgeRequest(facts).rules.map(({ rule }) => rule);
};
/** Percent-encoded so many times more. */
const encoded = (text: string, times: number): string =>
  Array.from({ length: times }).reduce((inner: string) => inner.replaceAll('%', '%25'), text);

const many = 'p=1&'.repeat(210);
const long = `a=${'x'.repeat(8300)}&`;
test.each([
  ['210 pairs', `/items?${many}`, 'action=delete&id=7', 'action=show&id=7'],
  ['8,300 characters', `/items?${long}`, 'action=delete&id=7', 'action=show&id=7'],
  ['30,000 characters', `/items?a=${'x'.repeat(30_000)}&`, 'action=delete&id=7', 'action=show&id=7'],
  ['210 pairs', `/items/7?${many}`, '_method=DELETE', '_method=GET'],
  ['8,300 characters', `/items/7?${long}`, '_method=DELETE', '_method=GET'],
  ['60 names of the path', `/${'a/'.repeat(60)}`, 'items/7/delete', 'items/7/details'],
  ['slashes', `/${'/'.repeat(5000)}`, 'delete/7', 'select/7'],
  ['a long name of the path', `/${'x'.repeat(5000)}/`, 'items/7/delete', 'items/7/details'],
  ['parameters of the path', `/orders/7${';p=1'.repeat(30)}`, ';action=cancel', ';view=full'],
  ['four encodings', '/', `${encoded('%64', 4)}elete/7`, `${encoded('%73', 4)}elect/7`],
  ['encodings that are none', '/items/7/', '%2564elete-%E9', '%2573elect-%E9'],
  ['spaces', '/items?id=7&', `action=${'+'.repeat(90)}delete`, `action=${'+'.repeat(90)}show`],
])('behind %s an address is judged as without [vault.review.act.by-address]', (_, before, act, read) => {
  expect(rulesOf('GET', before + act)).not.toContain('none');
  expect(actsWhenFetched(shop + before + act)).toBe(true);
  expect(rulesOf('GET', before + read)).toEqual(['none']);
  expect(actsWhenFetched(shop + before + read)).toBe(false);
});

test.each([
  ['/items?a=', 'x'.repeat(33_000)],
  ['/static/app.js?a=', 'x'.repeat(33_000)],
  ['/docs/', 'x'.repeat(33_000)],
  ['/', `${encoded('%64', 40)}elete/7`],
  ['/items?do=', `${encoded('%64', 40)}elete`],
  [`/items?${encoded('%64', 40)}o=`, 'delete'],
  ['/items/7;do=', `${encoded('%64', 40)}elete`],
])('what nobody has read whole acts: %s… [vault.review.act.by-address]', (path, rest) => {
  expect(rulesOf('GET', path + rest)).not.toContain('none');
  expect(actsWhenFetched(shop + path + rest)).toBe(true);
  expect(actsWhenOpened(shop + path + rest)).toBe(true);
});

test.each(['/items?a=xxx', '/static/app.js?a=xxx', '/docs/xxx', '/%64/7', '/items?do=%64', '/items;do=%64'])(
  'control: what is read whole reads: %s [vault.review.act.harmless]',
  (path) => {
    expect(rulesOf('GET', path)).toEqual(['none']);
    expect(actsWhenFetched(shop + path)).toBe(false);
    expect(actsWhenOpened(shop + path)).toBe(false);
  },
);

test('an address that is not read whole is no search [vault.review.act.by-body]', () => {
  const padded = `?a=${'x'.repeat(33_000)}`;
  for (const [path, body] of [
    ['/api/search', '{"q":"pens"}'],
    ['/api/items/list', '{}'],
  ] as const) {
    expect(rulesOf('POST', path, body)).toEqual(['none']);
    expect(rulesOf('POST', path + padded, body)).not.toEqual(['none']);
  }
});

const base64 =
  'fZJNT8MwDIb/SpX7mvSDbY3WSYVpWpPXQWQ9cUNp6m2R2rjEKeLf0w0Q4wA3S5b9vs9rLxC6tpf14I7mAV4HQBe9d61BeW6UbPBWWkCN0kAHKJ2S2/pxI7OY'
    .repeat(50)
    .concat('+/=');
const nested = [
  'https://login.example/a?x=1&y=a b',
  ...Array.from({ length: 5 }, (_, at) => `https://id${at}.example/authorize?scope=a b`),
].reduce((inner, outer) => `${outer}&redirect_uri=${encodeURIComponent(inner)}`);
test.each([
  [
    '60 filters',
    `/search?q=pens&${Array.from({ length: 60 }, (_, at) => `filter[${at}][]=colour-${at}&`).join('')}page=2`,
  ],
  ['300 filters', `/search?q=pens&${'brand[]=acme&'.repeat(300)}page=2`],
  ['tracking', `/offers/pens?utm_source=mail&gclid=${'Cj0KCQiA'.repeat(250)}&fbclid=IwAR0`],
  [
    'SAML',
    `/saml/sso?SAMLRequest=${encodeURIComponent(base64)}&RelayState=${encodeURIComponent('https://app.example/home?tab=1')}`,
  ],
  ['OAuth', `/authorize?client_id=a&response_type=code&scope=openid&state=${encodeURIComponent(base64)}`],
  ['where one came from, encoded six times', `/start?continue=${encodeURIComponent(nested)}`],
  ['a literal percent', `/search?q=${encodeURIComponent('100%25 wool')}`],
  ['Latin-1', '/caf%E9/men%FC?q=%E4'],
  ['a map', `/map?state=${encodeURIComponent(JSON.stringify({ at: 'x'.repeat(12_000) }))}`],
])('a long address that reads is read: %s [vault.review.act.harmless]', (_, path) => {
  expect(rulesOf('GET', path)).toEqual(['none']);
  expect(actsWhenFetched(shop + path)).toBe(false);
});

test.each([
  ['pairs', '/items?', 'a&'],
  ['orders of the same kind', '/items?', 'do=add&'],
  ['names', '/items?', 'name=delete&'],
  ['tokens', '/items?', 'watch=x&'],
  ['objects', '/items?', 'r={&'],
  ['statements', '/items?', 'q=update a set&'],
  ['names of a path', '/', 'a/'],
  ['numbers of a path', '/', '7/id/'],
  ['parameters of a path', '/a', ';a'],
  ['encodings', '/items?a=', '%25'],
  ['half encodings', '/', '%E9%25'],
  ['glued words', '/items?', 'do=deleteorder&'],
])(
  'a long address is judged in the time of its length: %s [vault.review.act.by-address]',
  (_, before, part) => {
    const addressOf = (length: number) =>
      shop + before + part.repeat(Math.floor((length - before.length - shop.length) / part.length));
    const timeOf = (address: string) =>
      Math.min(...Array.from({ length: 3 }, () => processorTime(() => actsWhenFetched(address))));
    const [half, whole] = [timeOf(addressOf(16_000)), timeOf(addressOf(32_000))];
    expect(whole).toBeLessThan(3 * half + 20);
    expect(timeOf(addressOf(2_000_000))).toBeLessThan(3 * whole + 100);
  },
);
