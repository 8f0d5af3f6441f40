import { expect, test } from 'vitest';
import { field, fill, passwordField, shop } from '../test/corpus/situations.ts';
import { factsOf } from './facts.ts';
import type { ObservedForm, ObservedTarget } from './observation.ts';
import { judge } from './review.ts';

const form: ObservedForm = {
  action: `${shop}/vault/unlock?what=open`,
  method: 'POST',
  fields: [field('password', 'Key')],
};
const target = (given: Partial<ObservedForm> = {}, more: Partial<ObservedTarget> = {}): ObservedTarget =>
  passwordField({
    frameUrl: `${shop}/vault`,
    autocomplete: '',
    names: ['Key'],
    titles: ['Set a key for this file'],
    field: 'key',
    form: { ...form, ...given },
    ...more,
  });
const agreed = { origin: shop, path: '/vault/unlock?what=open', method: 'POST', field: 'key' } as const;

const verdictAt = (into: ObservedTarget, allowedUrls = [shop], touched = true) =>
  judge(
    factsOf(
      fill('{{CREDENTIAL.password}}', into, {
        url: `${shop}/vault`,
        allowedUrls,
        touched,
        credential: { type: 'username_password', allowedUrls, uses: [agreed] },
      }),
      { commit: () => '', mask: (text) => text },
    ),
  ).verdict;

test('control: the place that a person agreed to asks nobody', () => {
  expect(verdictAt(target())).toBe('allow');
});

test.each([
  ['another query', target({ action: `${shop}/vault/unlock?what=publish` })],
  ['a query in another order of words', target({ action: `${shop}/vault/unlock?what=open&what=publish` })],
  ['a query that says a word more', target({ action: `${shop}/vault/unlock?what=open&into=comment` })],
  ['no query', target({ action: `${shop}/vault/unlock` })],
  ['the number of another page', target({ action: `${shop}/vault/unlock?what=open&page_id=12` })],
  ['another case', target({ action: `${shop}/vault/Unlock?what=open` })],
  ['a slash behind it', target({ action: `${shop}/vault/unlock/?what=open` })],
  ['two slashes', target({ action: `${shop}/vault//unlock?what=open` })],
  ['an encoded slash', target({ action: `${shop}/vault%2Funlock?what=open` })],
  ['an encoded letter', target({ action: `${shop}/vault/%75nlock?what=open` })],
  ['an encoded way up', target({ action: `${shop}/vault/x/..%2funlock?what=open` })],
  ['a parameter of the path', target({ action: `${shop}/vault/unlock;x=1?what=open` })],
  ['another port', target({ action: 'https://shop.example:8443/vault/unlock?what=open' })],
  ['a host that ends with a dot', target({ action: 'https://shop.example./vault/unlock?what=open' })],
  ['letters of another alphabet', target({ action: 'https://shоp.example/vault/unlock?what=open' })],
  ['a user before the host', target({ action: 'https://eve@shop.example/vault/unlock?what=open' })],
  ['no TLS', target({ action: 'http://shop.example/vault/unlock?what=open' })],
  ['GET', target({ method: 'GET' })],
  ['a dialog', target({ method: 'DIALOG' })],
  ['a script', target({ action: 'javascript:void(0)', method: 'UNSAID' })],
  ['a button that leads elsewhere', target({ otherActions: [`${shop}/comments`] })],
  [
    'a button of the same path with another query',
    target({ otherActions: [`${shop}/vault/unlock?what=publish`] }),
  ],
  ['another field', target({}, { field: 'note' })],
  ['a field of no name', target({}, { field: 'password' })],
  ['no form', { ...target(), form: null }],
])('what was agreed to is not what differs by %s [vault.review.place.remembered]', (_, into) => {
  expect(
    verdictAt(into, [shop, 'https://shop.example:8443', 'https://shop.example.', 'http://shop.example']),
  ).not.toBe('allow');
});

test.each([
  ['a way up that the browser goes itself', `${shop}/vault/x/../unlock?what=open`],
  ['a fragment that leads nowhere', `${shop}/vault/unlock?what=open#`],
  ['a clock', `${shop}/vault/unlock?what=open&t=1732579200`],
  ['a token', `${shop}/vault/unlock?what=open&csrf=x3Jk20aPqLz9`],
  ['where one came from', `${shop}/vault/unlock?what=open&utm_source=mail&lang=de&return_to=/home`],
])('it stays the same place with %s', (_, action) => {
  expect(verdictAt(target({ action }))).toBe('allow');
});

test.each([
  'what=open&show=2fa',
  'what=open&delete_session=all',
  'what=open&revoke_token=yes',
  'what=open&reset_token=on',
])('what was agreed to is not what a query says beside it: %s [vault.review.place.remembered]', (query) => {
  expect(verdictAt(target({ action: `${shop}/vault/unlock?${query}` }))).not.toBe('allow');
});

test('buttons of the same form that do something, or put what is filled in into an address, are no other ways to log in [vault.review.silent]', () => {
  const verdictOf = (given: Partial<ObservedForm>) => {
    const fields = [field('text', 'Login'), field('password', 'Pass'), field('submit', 'Log in')];
    const into = passwordField({ form: { action: `${shop}/session`, method: 'POST', fields, ...given } });
    return judge(factsOf(fill('{{CREDENTIAL.password}}', into), { commit: () => '', mask: (text) => text }))
      .verdict;
  };
  for (const way of ['/login/saml', '/session/eidas', '/signin?do=login', '/sso/start'])
    expect([way, verdictOf({ otherActions: [shop + way] })]).toEqual([way, 'allow']);
  for (const other of [
    '/profile',
    '/settings',
    '/oauth/authorize',
    '/login/update',
    '/login?do=transfer',
    '/login?do=delete',
    '/search',
    '/',
  ])
    expect([other, verdictOf({ otherActions: [shop + other] })]).toEqual([other, 'ask']);
  expect(verdictOf({ otherMethods: ['POST'] })).toBe('allow');
  expect(verdictOf({ otherMethods: ['GET'] })).toBe('ask');
  expect(verdictOf({ otherActions: [`${shop}/login/saml`], otherMethods: ['POST', 'GET'] })).toBe('ask');
});
