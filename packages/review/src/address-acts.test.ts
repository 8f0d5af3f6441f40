import { expect, test } from 'vitest';
import { navigate, shop } from '../test/corpus/situations.ts';
import { factsOf } from './facts.ts';
import type { Review } from './observation.ts';
import { actsWhenFetched } from './request/kinds.ts';
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
  '/transfer?to=eve&amount=90',
  '/send?to=eve&text=hello',
  '/withdraw?amount=50&iban=DE1',
  '/donate?amount=50',
  '/buy?sku=7&qty=1',
  '/invite?email=eve%40example.com',
  '/grant?user=eve&role=admin',
  '/share?file=7&with=eve',
  '/make-admin?user=eve',
  '/add-user?name=eve',
  '/switch?plan=pro',
  '/subscribe?plan=pro',
  '/buy?plan=annual',
  '/purchase?plan=annual',
  '/activate?plan=pro',
  '/confirm-upgrade?plan=pro',
  '/unsubscribe?t=abc',
  '/create-token?scope=all',
  '/donate?amount=50&mc_cid=7',
  '/setrole?user=eve&role=owner',
  '/set?key=a&value=b',
  '/assign?task=7&to=eve',
  '/switch-account?to=2',
  '/keys/create?name=x',
  '/kill?pid=3',
  '/cache/clear?all=1',
  '/accept-invite?token=abc',
  '/confirm-email?token=abc',
  '/unsubscribe?u=7',
  '/cart/add?sku=1',
  '/checkout?plan=pro&confirm=1',
  '/relay/0?turn=on',
  '/cm?cmnd=Power%20Off',
  '/index.php?title=Home&action=watch',
  '/admin/index.php?option=com_users&task=users.block&id=7',
  '/api/items/7:archive',
  '/items/7/trash',
  '/invoices/7/send',
  '/users/7/promote',
  '/users/eve/ban',
  '/vote/7/up',
  '/job/deploy/build?delay=0sec',
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
  '/transfer',
  '/transfer?step=2',
  '/transfer?lang=de&utm_source=mail',
  '/transfers?to=2026-01-01&page=2',
  '/invite',
  '/share/7',
  '/sets?id=7',
  '/jobs/7/build/3',
  '/builds?job=7',
  '/updates?since=7',
  '/assignments?user=7',
  '/votes?id=7',
  '/convert?amount=90&from=EUR&to=USD',
  '/flights?from=BER&to=SFO',
  '/cart?step=2',
  '/checkout?step=2',
  '/index.php?title=Home&action=history',
  '/admin/index.php?option=com_users&task=users.list',
  '/transfer-history?account=7',
  '/settings?section=keys&user=7',
  '/share?url=https%3A%2F%2Fa.example&text=x',
  '/create?title=x',
  '/join?_gl=1*1abc',
  '/join?_ga=2.1&ts=17&_t=17&cb=17&rnd=17',
  '/subscribe?_hsenc=p2ANqtz&_hsmi=7&gad_source=1&gbraid=0AA&wbraid=1',
  '/donate?mc_cid=7&mc_eid=8',
  '/start?msclkid=7&ttclid=8&yclid=9&igshid=1',
  '/create-account?plan=pro',
  '/create-account?email=ada%40example.org',
  '/add-listing?category=3',
  '/add-listing?type=flat',
];

test.each(read)('%s is a page [vault.review.act.by-address]', (path) => {
  expect(rulesOf(navigate(shop + path))).toEqual(['none']);
});

/** Scripts that are answers: they call back by a name that the address gives. */
const calledBack = [
  '/items/7/archive.js?callback=f',
  '/items/7/delete.js?callback=jQuery17204872_1234',
  '/transfer.js?to=eve&amount=90&jsonp=f',
  '/users/7/ban.mjs?json_callback=app.done%5B0%5D',
  '/do.js?action=delete&id=7&cb=done',
];

test.each(calledBack)(
  '%s is no file but an answer: a person is asked [vault.review.act.called-back]',
  (path) => {
    expect(rulesOf(navigate(shop + path))).not.toEqual(['none']);
    expect(actsWhenFetched(shop + path)).toBe(true);
  },
);

test.each([
  '/static/7/delete.js',
  '/static/7/delete.js?v=3',
  '/static/7/archive.js?cb=1732587000',
  '/maps/api.js?callback=initMap&key=k&v=weekly',
  '/recaptcha/api.js?onload=ready&render=explicit',
  '/data/7.js?callback=f',
  '/suggest.js?q=pen&callback=jQuery17204872_1234',
])('%s is a file, or reads [vault.review.act.called-back]', (path) => {
  expect(actsWhenFetched(shop + path)).toBe(false);
});
