import { expect, test } from 'vitest';
import { navigate, shop } from './corpus/situations.ts';
import { factsOf } from './facts.ts';
import type { Review } from './observation.ts';
import { judge } from './review.ts';

const rulesOf = (review: Review): string[] =>
  judge(factsOf(review, { commit: () => '', mask: (text) => text })).rules.map(({ rule }) => rule);

const acting = [
  '/transfers/7/approve',
  '/servers/7/restart',
  '/cart/add/77',
  '/unsubscribe?email=ada%40example.org',
  '/follow.php?user=7',
  '/cgi-bin/reboot?now=1',
];

test.each(acting)('%s acts by being opened: a person is asked [vault.review.act.by-address]', (path) => {
  expect(rulesOf(navigate(shop + path))).toEqual(['intent.address']);
});

const read = [
  '/quick/start',
  '/docs/restart',
  '/approve',
  '/transfers/7',
  '/cart',
  '/cart/add',
  '/restart.html',
];

test.each(read)('%s is a page [vault.review.act.by-address]', (path) => {
  expect(rulesOf(navigate(shop + path))).toEqual(['none']);
});
