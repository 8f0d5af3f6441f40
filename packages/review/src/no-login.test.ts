import { expect, test } from 'vitest';
import { click, field, fill, passwordField, shop, submit } from '../test/corpus/situations.ts';
import { factsOf } from './facts.ts';
import { purposeOf } from './form.ts';
import type { ObservedForm, Review } from './observation.ts';
import { judge } from './review.ts';

const rules = (review: Review) =>
  judge(factsOf(review, { commit: () => '', mask: (text) => text })).rules.map(({ rule }) => rule);

const password = field('password', 'Password');
const user = field('text', 'User name');
const button = (name: string) => ({ ...field('submit', name), tag: 'button' });
const formOf = (...fields: ObservedForm['fields']): ObservedForm => ({
  action: `${shop}/continue`,
  method: 'POST',
  fields,
});
const at = { frameUrl: `${shop}/start` };

test.each([
  ['Server'],
  ['auth[server]'],
  ['Host'],
  ['hostname'],
  ['URL'],
  ['Repository URL'],
  ['Clone from URL'],
  ['clone_addr'],
  ['Port'],
  ['Endpoint'],
  ['Domain'],
  ['SMTP host'],
  ['smtpServer'],
  ['Mail server'],
  ['IMAP'],
  ['Database'],
  ['db_name'],
  ['Web address'],
  ['Login URL'],
  ['Token endpoint'],
  ['Workspace server'],
  ['https://example.com/repo.git'],
  ['imap.example.com'],
  ['Serveur'],
  ['Servidor'],
  ['Datenbank'],
  ['サーバー'],
  ['服务器地址'],
])(
  'who may name the server that gets the password does not log in: “%s” beside it [vault.review.act.read-there]',
  (name) => {
    for (const action of ['/continue', '/login']) {
      const form = {
        ...formOf(field('text', name), user, password, button('Log in')),
        action: shop + action,
      };
      expect(rules(fill('{{CREDENTIAL.password}}', passwordField({ form })))).toContain(
        'credential.new-place',
      );
      expect(rules(click(submit('Log in', form)))).toContain('intent.form');
    }
  },
);

test('a field of addresses is one by its type, too, and none where nobody sees it [vault.review.act.read-there]', () => {
  const url = field('url', 'Where');
  expect(purposeOf(formOf(url, user, password, button('Log in')), at)).toBe('other');
  expect(purposeOf(formOf(field('text', 'a', 'url'), user, password, button('Log in')), at)).toBe('other');
  const unseen = { ...field('text', 'url'), visible: false };
  expect(purposeOf(formOf(unseen, user, password, button('Log in')), at)).toBe('login');
});

test.each([
  ['Company'],
  ['Company ID'],
  ['Workspace'],
  ['Workspace URL'],
  ['Tenant'],
  ['Tenant domain'],
  ['Realm'],
  ['subdomain'],
  ['Organization'],
])('a log-in asks for whose it is: “%s” [vault.review.logins]', (name) => {
  expect(purposeOf(formOf(field('text', name), user, password, button('Log in')), at)).toBe('login');
});

test('a choice of domains or databases is of the site’s own making [vault.review.logins]', () => {
  for (const name of ['Domain', 'Database', 'Server']) {
    const list = { ...field('', name), tag: 'select' };
    expect(purposeOf(formOf(list, user, password, button('Log on')), at)).toBe('login');
  }
  const account = field('text', 'Domain\\user name');
  expect(purposeOf(formOf(account, password, button('Log on')), at)).toBe('login');
});

test('a password alone is no log-in once it was sent, with a form and without; with an account it is [vault.review.place.login-form]', () => {
  const alone = formOf(password, button('Continue'));
  const sent = { wasSent: true };
  const value = '{{CREDENTIAL.password}}';
  expect(rules(fill(value, passwordField({ form: alone })))).toEqual(['none']);
  expect(rules(fill(value, passwordField({ form: alone }), sent))).toEqual(['credential.new-place']);
  expect(rules(click(submit('Continue', alone), sent))).toEqual(['intent.form']);
  expect(rules(fill(value, passwordField({ form: null }), sent))).toEqual(['credential.new-place']);
  expect(rules(fill(value, passwordField(), sent))).toEqual(['none']);
  const code = formOf(field('text', 'Code', 'one-time-code'), button('Verify'));
  expect(rules(click(submit('Verify', code), sent))).toEqual(['none']);
});

test('a place learned as a log-in is none where the page asks for something else; one that a person agreed to is [vault.review.place.login-form] [vault.review.place.remembered]', () => {
  const use = { origin: shop, path: '/continue', method: 'POST', field: 'it' } as const;
  const of = (as: object, titles: readonly string[]) =>
    rules(
      fill('{{CREDENTIAL.password}}', passwordField({ form: formOf(password, button('Continue')), titles }), {
        credential: { type: 'username_password', allowedUrls: [shop], uses: [{ ...use, ...as }] },
      }),
    );
  expect(of({ as_login: true }, ['Enter your password'])).toEqual(['none']);
  expect(of({ as_login: true }, ['Delete account'])).toContain('credential.new-place');
  expect(of({}, ['Delete account'])).not.toContain('credential.new-place');
});

test.each([
  ['Transfer authorization', 'other'],
  ['Payment authorization', 'other'],
  ['Order authentication', 'other'],
  ['Authentication', 'login'],
  ['Customer identification', 'login'],
])(
  'an order that is authorized is none by which somebody logs in: “%s” above account, password and “Confirm” is for %s [vault.review.act.read-there]',
  (title, purpose) => {
    expect(purposeOf(formOf(user, password, button('Confirm')), { ...at, titles: [title] })).toBe(purpose);
  },
);
