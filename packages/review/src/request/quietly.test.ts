import { expect, test } from 'vitest';
import { shop } from '../../test/corpus/situations.ts';
import { requestFactsOf } from './facts.ts';
import type { SentRequest } from './seen.ts';
import { judgeRequest } from './judge.ts';
import { actsWhenFetched } from './kinds.ts';

const rulesOf = (method: string, path: string, body = ''): string[] => {
  const sent: SentRequest = {
    method,
    url: shop + path,
    resource: 'fetch',
    contentType: body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded',
    body,
    carriesCredential: false,
    pageUrl: `${shop}/home`,
  };
  const about = { task: 'Log in and read my orders', approval: 'auto' } as const;
  return judgeRequest(requestFactsOf(sent, about, (text) => text)).rules.map(({ rule }) => rule);
};
const ping = (path: string): string[] => {
  const facts = { resource: 'ping', contentType: 'text/ping', body: 'PING', carriesCredential: false };
  const sent: SentRequest = { method: 'POST', url: shop + path, pageUrl: `${shop}/home`, ...facts };
  const about = { task: 'Log in and read my orders', approval: 'auto' } as const;
  return judgeRequest(requestFactsOf(sent, about, (text) => text)).rules.map(({ rule }) => rule);
};
const query = (text: string) => `/graphql?query=${encodeURIComponent(text)}`;
const asked = (text: string) => JSON.stringify({ query: text });

test.each([
  '/do.php?what=pay&invoice=7',
  '/index.php?todo=delete&nr=7',
  '/main.cgi?accion=eliminar&nr=7',
  '/orders/cancel.js?order_id=7&callback=done',
  '/orders/cancel.gif?order_id=7',
  '/api/remove.js?jsonp=done',
  '/api/remove.js?cbk=done',
  '/items/7/delete.svg?id=7',
  '/items/7/archive.css?callback=f',
  '/like.jpg?id=7',
  '/delete.gif?user=7',
  '/track.gif?user_id=5&action=delete',
  '/pixel.gif?user_id=5&action=like&callback=done',
  '/photos/like.gif?user_id=5',
  query('{ deleteUser(id: 7) { ok } }'),
  query('{ payInvoice(id: 7) { ok } }'),
  query('mutation { setRole(id: 7, role: ADMIN) { ok } }'),
])('%s acts when a page fetches it, and is stopped [vault.review.act.quietly]', (path) => {
  expect(actsWhenFetched(shop + path)).toBe(true);
  expect(rulesOf('GET', path)).not.toEqual(['none']);
});

test.each([
  'query { payInvoice(id: 7) { ok } }',
  'query { transferFunds(to: "eve", amount: 90) { ok } }',
  '{ approvePayment(id: 7) { id } }',
  '{ acceptInvitation(id: 7) { id } }',
  '{ executeTrade(id: 7) { id } }',
  '{ completePurchase(id: 7) { id } }',
  '{ assignRole(user: 7, role: ADMIN) { id } }',
  '{ submitOrder(id: 7) { id } }',
  'query { inviteUser(email: "eve@example.com") { ok } }',
  'query Get { user { id } sendMessage(to: 7, text: "x") { ok } }',
])('a GraphQL query of a field that acts by its name is stopped: %s [vault.review.act.quietly]', (text) => {
  expect(rulesOf('POST', '/graphql', asked(text))).not.toEqual(['none']);
});

/** Where such a field is at the root, or what says so, and does not look so. */
const hidden = [
  // A comment ends with a line, and CR ends one too.
  '#\rmutation #\n{ role(id: 7, is: "admin") { id } }',
  'query { ...F } fragment F on Query { deleteUser(id: 7) { ok } }',
  'fragment F on Query { ...G } query { ...F } fragment G on Query { ...F deleteUser(id: 7) { ok } }',
  'fragment query on Query { deleteUser(id: 7) { ok } } { ...query }',
  '{ ... { deleteUser(id: 7) { ok } } }',
  '{ ... on Query { deleteUser(id: 7) { ok } } }',
  '{ ... on Query @include(if: true) { ... @skip(if: false) { deleteUser(id: 7) { ok } } } }',
  `{ ${Array.from({ length: 600 }, (_, i) => `a${i}`).join(' ')} deleteUser(id: 7) { ok } }`,
];

test('a GraphQL document is read as servers read it: line ends, fragments, more names than are told [vault.review.act.quietly]', () => {
  for (const text of hidden)
    expect([text, ...rulesOf('POST', '/graphql', asked(text))]).not.toEqual([text, 'none']);
});

test.each([
  '/list.php?what=payments',
  '/audit.php?event=delete&page=2',
  '/items/list.js?item_id=7&callback=done',
  '/js/delete.js?v=3',
  '/icons/16/delete.png',
  '/img/remove.svg?cb=17',
  '/avatar.png?user_id=7',
  '/avatar.svg?user=7',
  '/track.gif?user_id=5&action=like',
  query('{ transferLimits { daily } paymentMethods { id } }'),
  query('query Invoice { purchaseOrder(id: 7) { id } shareLink transferRequest(id: 1) { id } }'),
])('%s reads [vault.review.act.harmless]', (path) => {
  expect(actsWhenFetched(shop + path)).toBe(false);
  expect(rulesOf('GET', path)).toEqual(['none']);
});

test.each([
  'query { transferHistory { id } paymentMethods { id } shareCount }',
  'query { inviteCode purchaseOrders { id } sendLimits { daily } postById(id: 7) { id } }',
  'query { approvePaymentUrl completeOrders { id } signInMethods acceptedInvitations { id } }',
  'query { buyBox { id } transferRequest(id: 1) { id } payRate payDates subscribeOptions }',
  // Of what is below the root, and of fragments that nobody spreads there, nothing is called.
  '{ orders { ...O ... on Order { cancel { at } } } } fragment O on Order { cancel { at } pay { by } }',
  'fragment F on Query { deleteUser(id: 7) { ok } } { orders { id } }',
])('a GraphQL query of what acts are called by reads: %s [vault.review.act.harmless]', (text) => {
  expect(rulesOf('POST', '/graphql', asked(text))).toEqual(['none']);
});

test('a link tells where one went, unless that address acts [vault.review.act.quietly] [vault.review.act.harmless]', () => {
  expect(ping('/url?sa=t&url=%2Fnews')).toEqual(['none']);
  for (const path of ['/aclk?sa=l&url=%2Fshop', '/gen_204?ct=2', '/l.php?u=%2Fnews'])
    expect(ping(path)).toEqual(['none']);
  for (const path of [
    '/orders/7/cancel',
    '/users/7/approve',
    '/pay?invoice_id=7',
    '/users/eve/roles/admin',
    '/orders',
    '/friends/add/7',
    '/api/like',
  ])
    expect(ping(path)).not.toEqual(['none']);
});
