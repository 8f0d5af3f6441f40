import { expect, test } from 'vitest';
import { click, field, fill, passwordField, shop, submit } from '../test/corpus/situations.ts';
import { factsOf } from './facts.ts';
import type { ObservedForm, ObservedTarget } from './observation.ts';
import { judge } from './review.ts';

const user = field('text', 'Login');
const password = field('password', 'Pass');
const button = (...names: string[]) => ({ ...field('submit', ''), tag: 'button', names });

type Given = Partial<ObservedTarget> & { readonly fields?: ObservedForm['fields'] };
const rulesAt = (url: string, { fields = [user, password, button('OK')], ...more }: Given = {}) => {
  const form: ObservedForm = { action: url, method: 'POST', fields };
  const into = passwordField({ frameUrl: url, autocomplete: '', names: ['Pass'], titles: [], form, ...more });
  const review = fill('{{CREDENTIAL.password}}', into, { url });
  return judge(factsOf(review, { commit: () => '', mask: (text) => text })).rules.map(({ rule }) => rule);
};

const help = { ...button('Forgot password?'), type: 'button' };

const entries: readonly (readonly [string, string, Given?])[] = [
  ['two fields and a button', `${shop}/`],
  ['no button', `${shop}/`, { fields: [user, password] }],
  ['a picture for a button', `${shop}/`, { fields: [user, password, { ...field('image', 'image2') }] }],
  ['a button for those who forgot', `${shop}/`, { fields: [user, password, help] }],
  ['labels that are tied to no field', `${shop}/home`, { titles: ['Логин', 'Пароль'] }],
  ['whose page it is', `${shop}/`, { titles: ['Welcome to Acme', 'ada@acme.example'] }],
  ...[
    'Welcome to Acme Server',
    'Welcome to the Acme Database',
    'Welcome to Acme Gateway',
    'Welcome to mail.acme.example proxy',
    'Welcome to the Acme Remote Portal',
  ].map((title) => [`a greeting, “${title}”`, `${shop}/`, { titles: [title] }] as const),
  ['a box to stay', `${shop}/en/`, { fields: [user, password, field('checkbox', 'Remember my user ID')] }],
];
test.each(entries.map(([name, url, given]) => [name, url, given] as const))(
  'the way into a site that says nothing is a log-in: %s [vault.review.silent]',
  (_, url, given) => {
    expect(rulesAt(url, given)).toEqual(['none']);
  },
);

const others: readonly (readonly [string, string, Given?])[] = [
  ['an address that says what is set', `${shop}/settings/proxy`],
  ['an address that says anything', `${shop}/shares`],
  ['the address of one thing', `${shop}/7`],
  ['a page by its query', `${shop}/?page=share`],
  ['a page by its fragment', `${shop}/#/settings/webdav`],
  ['a heading', `${shop}/`, { titles: ['WebDAV'] }],
  ['a heading over a log-in of elsewhere', `${shop}/`, { titles: ['Connect your mailbox'] }],
  ...[
    'Mail server',
    'SMTP host',
    'Welcome to the server setup',
    'Welcome to Acme Server. Set up your database',
    'Welcome to Acme: connect your mail server',
    'Welcome to Acme! Enter the server’s password',
    'Welcome to the database settings',
    'Welcome to the installation of Acme Server',
    'Welcome to Acme Server, delete your account',
    'Welcome to backup server configuration',
    'Welcome to Acme Server registration: register',
  ].map((title) => [`a heading, “${title}”`, `${shop}/`, { titles: [title] }] as const),
  ['a heading that sets', `${shop}/`, { titles: ['Set password'] }],
  ['a label that says new', `${shop}/`, { titles: ['New password'] }],
  ['a sentence', `${shop}/`, { titles: ['Whoever has this password sees the file.'] }],
  [
    'a password that is new',
    `${shop}/`,
    { autocomplete: 'new-password', fields: [user, { ...password, autocomplete: 'new-password' }] },
  ],
  ['a third field', `${shop}/`, { fields: [user, password, field('text', 'Note'), button('OK')] }],
  ['a list', `${shop}/`, { fields: [user, password, { ...field('', 'Role'), tag: 'select' }, button('OK')] }],
  ['a box', `${shop}/`, { fields: [user, password, field('checkbox', 'Administrator'), button('OK')] }],
  ['a password alone', `${shop}/`, { fields: [password, button('OK')] }],
  ['a password before the name', `${shop}/`, { fields: [password, user, button('OK')] }],
  ...[
    'Save',
    'Create',
    'Add',
    'Set',
    'Encrypt',
    'Protect',
    'Share',
    'Connect',
    'Test',
    'Sign up',
    'Speichern',
    'Apply',
    'Pay',
    'Delete',
  ].map(
    (name) => [`a button called ${name}`, `${shop}/`, { fields: [user, password, button(name)] }] as const,
  ),
];
test.each(others.map(([name, url, given]) => [name, url, given] as const))(
  'what says anything else is none: %s [vault.review.silent]',
  (_, url, given) => {
    expect(rulesAt(url, given)).toContain('credential.new-place');
  },
);

test('other ways to log in at the same site are no other place; an address that acts is [vault.review.silent]', () => {
  const at = (otherActions: readonly string[], touched = false) => {
    const form: ObservedForm = {
      action: `${shop}/session`,
      method: 'POST',
      otherActions,
      fields: [user, password, button('Log in')],
    };
    const into = passwordField({ form });
    const facts = factsOf(fill('{{CREDENTIAL.password}}', into, { touched }), {
      commit: () => '',
      mask: (text) => text,
    });
    return judge(facts).verdict;
  };
  expect(at([`${shop}/federated/spid?idp=7`, `${shop}/session/eidas`])).toBe('allow');
  expect(at([`${shop}/federated/spid?idp=7`], true)).toBe('ask');
  for (const other of ['/comments', '/register', '/account/delete', '/notes/create', '/password/change'])
    expect(at([shop + other])).toBe('ask');
  expect(at(['https://other.example/federated'])).toBe('ask');
});

test('a button of a log-in form that makes an account does not log in, and the others do [vault.review.silent]', () => {
  const form: ObservedForm = {
    action: `${shop}/session`,
    method: 'POST',
    fields: [user, password, button('Log in'), button('Create account')],
  };
  const verdictOf = (name: string) =>
    judge(factsOf(click(submit(name, form)), { commit: () => '', mask: (text) => text })).verdict;
  for (const name of ['Create account', 'Sign up', 'Registrieren', '新規登録'])
    expect([name, verdictOf(name)]).toEqual([name, 'ask']);
  for (const name of ['Log in', 'Continue', 'Sign in or register'])
    expect([name, verdictOf(name)]).toEqual([name, 'allow']);
});
