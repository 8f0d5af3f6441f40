import { expect, test } from 'vitest';
import { fieldOf } from '../test/corpus/read-field.ts';
import { click, fill, review, shop, submit, target } from '../test/corpus/situations.ts';
import { factsOf } from './facts.ts';
import type { ObservedField, ObservedForm } from './observation.ts';
import { judge } from './review.ts';

const rulesOf = (one: ReturnType<typeof review>) =>
  judge(factsOf(one, { commit: () => '', mask: (text) => text })).rules.map(({ rule }) => rule);

type Given = { readonly titles?: readonly string[]; readonly page?: string };

/** `/where | field | …` as the corpus writes it. */
const formOf = (line: string): ObservedForm => {
  const [action = '', ...fields] = line.split(' | ');
  return { action: shop + action, method: 'POST', fields: fields.map(fieldOf) };
};
const on = (form: ObservedForm, field: ObservedField, { titles = [], page = form.action }: Given) =>
  target({ ...field, field: field.names.at(-1) ?? field.type, frameUrl: page, titles, form });

/** What the rules say of a password that is filled into the last field that hides. */
function filled(line: string, given: Given = {}): string[] {
  const form = formOf(line);
  const hidden = form.fields.findLast(({ type }) => type === 'password');
  return hidden === undefined
    ? ['no such field']
    : rulesOf(fill('{{CREDENTIAL.password}}', on(form, hidden, given)));
}
/** Of Enter in that field. */
function pressed(line: string, given: Given = {}): string[] {
  const form = formOf(line);
  const [first] = form.fields.filter(({ tag }) => tag === 'button');
  const sent = { ...form, submitter: first ? { names: first.names } : null };
  const into = form.fields.findLast(({ type }) => type === 'password');
  return into === undefined
    ? ['no such field']
    : rulesOf(
        review(
          { operation_type: 'press', selector: '#it', value: 'Enter' },
          { target: on(sent, into, given) },
        ),
      );
}

test.each([
  '/login/reset | text:User name:username:username | password:Password:newLoginPassword: | submit:Continue',
  '/login/update | password:Old password:oldLoginPassword: | password:New:newLoginPassword: | submit:Continue',
  '/login | text:User name:username: | password:Password:oldLoginPwd: | password:Password:newLoginPwd: | submit:Log in',
  '/start | text:User:newLoginUser: | password:Password:newLoginPassword: | submit:Continue',
])('a password that is called new is changed there: %s [vault.review.place.login-form]', (line) => {
  expect(filled(line)).not.toEqual(['none']);
});

const account = '/session | email:Email:email:email | password:Password:password';
test.each([
  `${account}:new-password | submit:Create account | submit:Log in`,
  `${account}:new-password | submit:Log in | submit:Create account`,
  `${account}:new-password | submit:Log in | submit:Join now`,
  `${account}: | submit:Create account | submit:Log in`,
  `${account}: | submit:Join now | submit:Log in`,
])(
  'who makes an account at a form with a button to log in does not log in: %s [vault.review.place.login-form]',
  (line) => {
    expect(filled(line, { titles: ['Create your account'] })).not.toEqual(['none']);
  },
);

test.each([
  `${account}:new-password | submit:Create account | submit:Log in`,
  `${account}: | submit:Create account | submit:Log in`,
  `${account}: | submit:Join now | submit:Log in`,
])('Enter that makes an account does not log in: %s [vault.review.act.read-there]', (line) => {
  for (const titles of [['Create your account'], []]) expect(pressed(line, { titles })).not.toEqual(['none']);
});

test.each(['Create account', 'Join now', 'Start free trial', 'Create my free account', 'Sign up'])(
  'a button %s of a log-in form makes an account [vault.review.act.read-there]',
  (name) => {
    const form = formOf(`${account}: | submit:Log in | submit:${name}`);
    expect(rulesOf(click(submit(name, form)))).not.toEqual(['none']);
    expect(rulesOf(click(submit('Log in', form)))).toEqual(['none']);
  },
);

test.each(['Lost your password?', 'Forgot password', 'Passwort vergessen?', 'Reset password'])(
  'a button %s of a log-in form makes no account [vault.review.logins]',
  (name) => {
    expect(filled(`${account}: | submit:Log in | submit:${name}`)).toEqual(['none']);
  },
);

const quiet = (user: string, password = 'Password', button = 'OK') =>
  `/ | text:${user} | password:${password} | submit:${button}`;

test.each([
  ...[
    'User to delete',
    'Type DELETE',
    'Confirm deletion',
    'Transfer to',
    'beneficiary',
    'Recipient',
    'Username to invite',
    'grant_admin_to',
    'Wi-Fi name',
    'ssid',
    'User to remove',
    'payee account',
    'Server user',
    'New user',
    'Anything',
  ].map((user) => quiet(user)),
  quiet('Username', 'Password to delete account'),
  quiet('Username', 'Password (min. 8 characters)'),
  ...[
    'btnCreateAccount',
    'btnTransfer',
    'buttonDelete',
    'disable_2fa',
    'register_1',
    'imgSignup',
    'goPremium',
    'btn_pay_1',
  ].map((button) => quiet('Username', 'Password', button)),
  '/ | text:Username | password:Password | checkbox:show me offers and I accept the terms | submit:OK',
])('fields, boxes and buttons that say something are no silent page: %s [vault.review.silent]', (line) => {
  expect(filled(line)).not.toEqual(['none']);
});

test.each(['/register', '/users', '/accounts', '/setup', '/reboot', '/apply.cgi', '/?do=share', '/7'])(
  'an address of a form that says something is no silent page: %s [vault.review.silent]',
  (action) => {
    const line = `${action} | text:Username:ssid: | password:Password:wpa_key: | submit:OK`;
    expect(filled(line, { page: `${shop}/` })).not.toEqual(['none']);
    const plain = `${action} | text:Username | password:Password | submit:OK`;
    expect(filled(plain, { page: `${shop}/` })).not.toEqual(['none']);
  },
);

test.each([
  'Welcome to Acme. Sign up in one minute',
  'Welcome to your free trial',
  'Welcome to Acme, create your account',
  'Welcome! Delete your account',
])('a greeting that says something is no silent page: %s [vault.review.silent]', (title) => {
  expect(filled(quiet('Username'), { titles: [title] })).not.toEqual(['none']);
});

test('control: the silent page itself [vault.review.silent]', () => {
  expect(filled(quiet('Username'))).toEqual(['none']);
  expect(filled(quiet('Username'), { titles: ['Welcome to Acme'] })).toEqual(['none']);
  for (const action of ['/login', '/home', '/'])
    expect(filled(`${action} | text:Username | password:Password | submit:OK`, { page: `${shop}/` })).toEqual(
      ['none'],
    );
  for (const button of ['btnGo', 'imgSubmit', 'image2', 'ctl00$btnOk', 'go_1', 'Weiter'])
    expect(filled(quiet('Username', 'Password', button))).toEqual(['none']);
});

const current = '/start | password:Password:password:current-password';
test.each([
  `${current} | submit:Lost your device? Turn off two-factor`,
  `${current} | submit:I've lost my authenticator: disable 2FA`,
  `${current} | submit:Vergessen werden: Konto löschen`,
  '/start | text:Card number:cardnumber: | password:PIN:pin: | submit:Report lost card',
])('a button that does something helps nobody who forgot: %s [vault.review.act.read-there]', (line) => {
  expect(filled(line)).not.toEqual(['none']);
});

test.each([
  '/start | email:Email:email:email | password:Password:login[password]:new-password | submit:Continue',
  '/start | email:Email:email:email | password:Password:password:new-password | submit:Continue',
])(
  'a new password of an account is set, where only its name says log-in: %s [vault.review.place.login-form]',
  (line) => {
    expect(filled(line)).not.toEqual(['none']);
  },
);

test('a heading that sets email and password is over no log-in whose password is new [vault.review.place.login-form]', () => {
  const line =
    '/settings | email:Email:email:email | password:Password:password:new-password | submit:Log in';
  expect(filled(line, { titles: ['Set up your email and password'] })).not.toEqual(['none']);
});
