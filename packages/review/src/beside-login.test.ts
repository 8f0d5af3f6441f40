import { expect, test } from 'vitest';
import { fieldOf } from '../test/corpus/read-field.ts';
import { click, fill, review, shop, submit, target } from '../test/corpus/situations.ts';
import { factsOf } from './facts.ts';
import type { ObservedForm } from './observation.ts';
import { judge } from './review.ts';

const rulesOf = (one: ReturnType<typeof review>) =>
  judge(factsOf(one, { commit: () => '', mask: (text) => text })).rules.map(({ rule }) => rule);

/** `/where | field | …`, at a page that says nothing where `at` is `/`: its password, Enter in it, and a click at one of its buttons. */
function formOf(line: string, titles: readonly string[] = []) {
  const [action = '', ...fields] = line.split(' | ');
  const form: ObservedForm = { action: shop + action, method: 'POST', fields: fields.map(fieldOf) };
  const submitter = form.fields.find(({ type }) => type === 'submit');
  const sent: ObservedForm = { ...form, submitter: { names: submitter?.names ?? [] } };
  const password = form.fields.findLast(({ type }) => type === 'password') ?? fieldOf('password');
  const at = { frameUrl: form.action, titles, form: sent };
  const into = target({ ...password, field: password.names.at(-1) ?? '', ...at });
  return {
    filled: rulesOf(fill('{{CREDENTIAL.password}}', into, { url: form.action })),
    entered: rulesOf(
      review(
        { operation_type: 'press', selector: '#it', value: 'Enter' },
        { target: into, url: form.action },
      ),
    ),
    clicked: (name: string) => rulesOf(click({ ...submit(name, sent), titles }, { url: form.action })),
  };
}

const account = '/portal | email:Email:email:email | password:Password:password:';

const besides = [
  'Quick pay',
  'Express pay',
  'Fast payment',
  'Eingaben löschen',
  'Alle Felder löschen',
  'Clear all input fields',
  'Effacer la saisie',
  '입력내용삭제',
  '入力内容を削除',
];

test.each(besides)(
  'beside a log-in a button %s is for those without an account, or clears [vault.review.logins]',
  (name) => {
    for (const kind of ['button', 'submit'])
      expect(formOf(`${account} | submit:Log in | ${kind}:${name}`).filled).toEqual(['none']);
  },
);

test.each([
  'Delete account',
  'Konto löschen',
  'Delete all entries of this account',
  'Quick pay € 20',
  'Quick pay and delete',
  'Pay invoice',
  'Felder und Konto löschen',
])('beside a log-in a button %s makes it none [vault.review.place.login-form]', (name) => {
  expect(formOf(`${account} | submit:Log in | submit:${name}`).filled).toContain('credential.new-place');
});

test.each(['Quick pay', 'Pay as guest', 'Express pay', 'Checkout without an account and pay'])(
  'Enter presses the first button, so that %s there is no log-in; a log-in first is [vault.review.act.read-there]',
  (name) => {
    expect(formOf(`${account} | submit:${name} | submit:Log in`).entered).toContain('intent.payment');
    expect(formOf(`${account} | submit:${name} | submit:Log in`).clicked(name)).toContain('intent.payment');
    expect(formOf(`${account} | submit:Log in | submit:${name}`).entered).toEqual(['none']);
  },
);

const odd = 'text:wt-docid:pro:off | password:wt-pwd:inputPassword:new-password';

test('what autocomplete alone calls new is the password of the account before it, whatever that is called [vault.review.logins]', () => {
  expect(formOf(`/login | ${odd} | submit:Entrar`).filled).toEqual(['none']);
});

test.each([
  ['the button makes an account', `/login | ${odd} | submit:Create account`, []],
  ['the button saves', `/session | ${odd} | submit:Save`, []],
  ['nothing says that it logs in', `/x | ${odd} | submit:Continue`, []],
  ['its button alone says so', `/people | ${odd.replace('wt-docid', 'Name')} | submit:Log in`, []],
  ['one is made there', `/people | ${odd} | submit:Log in`, ['Create guest log-in']],
  ['one is made at the place of log-ins', `/login | ${odd} | submit:Log in`, ['Create guest log-in']],
  ['the field says so too', `/login | ${odd.replace('inputPassword', 'newPassword')} | submit:Log in`, []],
  [
    'it is asked for twice',
    `/login | ${odd} | password:Repeat password:pw2:new-password | submit:Log in`,
    [],
  ],
  ['a file is named before it', `/login | ${odd.replace('pro', 'file name')} | submit:Log in`, []],
  ['a heading changes it', `/login | ${odd} | submit:Log in`, ['Set a new password']],
])('it is new where %s [vault.review.place.login-form]', (_, form, titles) => {
  expect(formOf(form, titles).filled).not.toEqual(['none']);
});

const library =
  'text:Your last name:name | text:Your library card number:code | password:Your PIN:pin | submit:Submit';

test('surname, number of a library card and PIN let in who borrows [vault.review.logins]', () => {
  expect(formOf(`/patroninfo | ${library}`, ['My Library Account', 'Your PIN:']).filled).toEqual(['none']);
});

test.each([
  ['a given name is of who is new', `text:First name:first | ${library}`, ['My Library Account']],
  ['a heading that pays', library, ['Pay your fines of € 12']],
  ['a heading that makes', library, ['Register your card']],
  ['a new PIN', library.replace('Your PIN', 'Your new PIN'), ['My Library Account']],
  [
    'a card that pays',
    library.replace('Your library card number', 'Your card number'),
    ['My Library Account'],
  ],
  ['an address of mail', library.replace('Your library card number:code', 'E-mail:email'), []],
  ['a name of one’s own', library.replace('Your library card number:code', 'User name:user'), []],
  ['an amount', library.replace(' | password', ' | text:Amount:amount | password'), ['My Library Account']],
  ['a button that acts', library.replace('submit:Submit', 'submit:Cancel my membership'), []],
])(
  'the same three are asked about where there is %s [vault.review.place.login-form]',
  (_, fields, titles) => {
    expect(formOf(`/patroninfo | ${fields}`, titles).filled).toContain('credential.new-place');
  },
);

const alone = '/settings/x | password:Password:password:current-password | submit:Continue';

test.each([
  'New: API key',
  'New: Create API key',
  'New: Delete account',
  'Nuevo: eliminar cuenta',
  'New: Pay $500',
  'New: Transfer ownership',
  'Tip: Delete account',
  'Delete account: access for members will be forbidden',
  'Deleting your account: changes will be prosecuted',
  'Unauthorized attempts to log in are prohibited. Delete your account',
])(
  'what is called news, advice or forbidden is done all the same: “%s” [vault.review.acts] [vault.review.place.login-form]',
  (title) => {
    for (const line of [alone, `${account} | submit:Log in`]) {
      const form = formOf(line, [title]);
      expect(form.filled).toContain('credential.new-place');
      expect(form.entered).toContain('intent.form');
      expect(form.entered.some((rule) => /^intent\.(api_key|delete|payment|permission)/.test(rule))).toBe(
        true,
      );
      expect(form.clicked(line === alone ? 'Continue' : 'Log in')).toContain('intent.form');
    }
  },
);

const warning = 'Unauthorized attempts to change or delete information are prohibited and may be punished.';

test('what is prohibited above a log-in is not done by it; what is said as well is [vault.review.place.login-form]', () => {
  const form = `${account} | submit:Log in`;
  expect(formOf(form, [warning]).filled).toEqual(['none']);
  for (const title of [
    'Delete your account',
    'Deleting is not prohibited: delete your account',
    'Delete what is prohibited',
    'Delete account: unauthorized attempts to enter are prohibited',
  ]) {
    expect(formOf(form, [warning, title]).filled).toContain('credential.new-place');
    expect(formOf(form, [`${warning} ${title}`]).filled).toContain('credential.new-place');
  }
  // Nobody says that it is a log-in, or the password alone is asked for.
  expect(formOf(alone, [warning]).filled).toContain('credential.new-place');
});

test('surname, e-mail and password of somebody new are no log-in where nothing says so [vault.review.silent] [vault.review.place.login-form]', () => {
  for (const type of ['email', 'text'])
    expect(
      formOf(`/member | ${type}:Email:email | text:Surname:surname | password:Password:pw | submit:Submit`)
        .filled,
    ).toContain('credential.new-place');
});

const staff = '/start | text:Personalnummer:pnr | password:Kennwort:kw | submit:OK';
const asked = 'Bitte geben Sie Ihre Zugangsdaten ein.';

test('who is asked for the data that were given for it logs in [vault.review.logins]', () => {
  expect(formOf(staff, [asked]).filled).toEqual(['none']);
  expect(formOf(staff, ['Enter your login details.']).filled).toEqual(['none']);
});

test.each([
  ['a machine', 'Bitte geben Sie Ihre Zugangsdaten für den Mailserver ein.', staff],
  ['another site', 'Enter your access details to connect the two.', staff],
  ['an act', 'Bitte geben Sie Ihre Zugangsdaten ein, um das Konto zu löschen.', staff],
  ['new data', 'Legen Sie Ihre Zugangsdaten fest.', staff],
  [
    'a field for a machine',
    asked,
    staff.replace('text:Personalnummer', 'text:Server:host | text:Personalnummer'),
  ],
  ['a new password', asked, staff.replace('Kennwort', 'Neues Kennwort')],
  ['a button that makes', asked, staff.replace('submit:OK', 'submit:Konto anlegen')],
])('nobody does where it is said of %s: “%s” [vault.review.place.login-form]', (_, title, form) => {
  expect(formOf(form, [title]).filled).toContain('credential.new-place');
});

test.each([
  ['/member/ | text:会員番号:no | password:暗証番号:pin | submit:送信', '会員専用ページ', true],
  ['/member/ | text:会員番号:no | password:新しい暗証番号:pin | submit:送信', '会員専用ページ', false],
  ['/member/ | text:会員番号:no | password:暗証番号:pin | submit:送信', '会員登録', false],
  ['/member/ | text:会員番号:no | password:暗証番号:pin | submit:退会する', '会員専用ページ', false],
  ['/member/delete | text:会員番号:no | password:暗証番号:pin | submit:送信', '会員専用ページ', false],
])('a page of members says whose it is: %s under %s [vault.review.logins]', (form, title, isLogin) => {
  expect(formOf(form, [title]).filled.includes('credential.new-place')).toBe(!isLogin);
});

const database = (name: string, fixed: boolean) => {
  const field = {
    ...fieldOf(`text:${name}:${name === 'Database' ? 'db' : 'server'}`),
    ...(fixed && { fixed: true as const }),
  };
  const fields = [
    field,
    ...['text:Email:login:username', 'password:Password:password', 'submit:Log in'].map(fieldOf),
  ];
  const form: ObservedForm = { action: `${shop}/web/login`, method: 'POST', fields };
  const password = target({ ...fieldOf('password:Password:password'), frameUrl: form.action, form });
  return rulesOf(fill('{{CREDENTIAL.password}}', password, { url: form.action }));
};

test('a database that is only shown is the site’s; one that is filled in, and a server, is named by who fills the form [vault.review.place.login-form]', () => {
  expect(database('Database', true)).toEqual(['none']);
  expect(database('Database', false)).toContain('credential.new-place');
  expect(database('Server', true)).toContain('credential.new-place');
});
