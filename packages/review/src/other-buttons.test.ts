import { expect, test } from 'vitest';
import { fieldOf } from '../test/corpus/read-field.ts';
import { click, fill, review, shop, submit, target } from '../test/corpus/situations.ts';
import { factsOf } from './facts.ts';
import type { ObservedForm } from './observation.ts';
import { isEnrolName } from './other-buttons.ts';
import { judge } from './review.ts';

const rulesOf = (one: ReturnType<typeof review>) =>
  judge(factsOf(one, { commit: () => '', mask: (text) => text })).rules.map(({ rule }) => rule);

/** `/where | field | …` as the corpus writes it; its password and a click at one of its buttons. */
function formOf(line: string, titles: readonly string[] = []) {
  const [action = '', ...fields] = line.split(' | ');
  const form: ObservedForm = { action: shop + action, method: 'POST', fields: fields.map(fieldOf) };
  const password = form.fields.findLast(({ type }) => type === 'password') ?? fieldOf('password');
  const into = { ...password, field: password.names.at(-1) ?? '', frameUrl: form.action, titles };
  return {
    filled: rulesOf(fill('{{CREDENTIAL.password}}', target({ ...into, form }))),
    inGroup: rulesOf(fill('{{CREDENTIAL.password}}', target({ ...into, group: form.fields }))),
    clicked: (name: string) => rulesOf(click(submit(name, form))),
  };
}

const account = '/session | email:Email:email:email | password:Password:password:';

test.each([
  'Create account and log in',
  'Register & sign in',
  'Please register and log in',
  'Forgot it? Create a new account',
  'Lost your password? Sign up again',
  'Log in and create an account',
  'Sign in & join',
  'Join now and sign in',
  'Start free trial and log in',
  'Remember me and create account',
  'Save and sign in',
  'Registrieren und anmelden',
  'Créer un compte et se connecter',
  'Crear cuenta e iniciar sesión',
  '注册并登录',
  '新規登録してログイン',
])(
  'a button %s makes an account or a password, whatever else it says [vault.review.act.read-there]',
  (name) => {
    expect(isEnrolName(name)).toBe(true);
    expect(formOf(`${account} | submit:Log in | submit:${name}`).clicked(name)).not.toEqual(['none']);
    const fresh = `${account}new-password | submit:Log in | submit:${name}`;
    expect(formOf(fresh).filled).not.toEqual(['none']);
  },
);

test.each([
  'Sign in or register',
  'Log in / Sign up',
  'Log in to change your plan',
  'Forgot your password? Reset it',
  'Can’t log in? Recover your account',
  'Save my user name',
  'Anmelden oder registrieren',
  'Se connecter ou créer un compte',
  '登录/注册',
])('a button %s lets in who has an account, or helps [vault.review.logins]', (name) => {
  expect(isEnrolName(name)).toBe(false);
  expect(formOf(`${account} | submit:Log in | submit:${name}`).filled).toEqual(['none']);
});

const fresh = `${account}new-password`;

test.each([
  'reset:Reset',
  'reset:Zurücksetzen',
  'submit:Change language',
  'button:Change language',
  'button:Sprache ändern',
  'submit:Cambiar idioma',
  'submit:Update captcha',
  'submit:Reset password',
  'button:Reset password',
  'button:Recover password',
  'button:Passwort zurücksetzen',
  'button:Restablecer contraseña',
  'button:Réinitialiser le mot de passe',
])(
  'beside “Log in” a button %s makes no password new that only its field calls so [vault.review.logins]',
  (other) => {
    expect(formOf(`${fresh} | submit:Log in | ${other}`).filled).toEqual(['none']);
  },
);

test.each([
  'submit:Reset password | button:Log in',
  'submit:Reset password | submit:Log in',
  'submit:Log in | submit:Change password',
  'submit:Log in | submit:Update password',
  'submit:Log in | submit:Save',
  'submit:Log in | submit:Reset',
  'submit:Log in | submit:Change language and create account',
  'submit:Change language | submit:Sign up | submit:Log in',
  'submit:Log in | button:Create account',
  'submit:Continue | submit:Reset password',
])('beside %s a password that its field calls new is new [vault.review.place.login-form]', (buttons) => {
  expect(formOf(`${fresh} | ${buttons}`).filled).not.toEqual(['none']);
  const atLogin = fresh.replace('/session', '/login');
  expect(formOf(`${atLogin} | ${buttons}`).filled).not.toEqual(['none']);
});

test.each(['Reset your password', 'Change your password', 'Passwort ändern'])(
  'under “%s” a password that its field calls new is new, whatever its button says [vault.review.place.login-form]',
  (title) => {
    for (const buttons of ['submit:Log in', 'submit:Log in | submit:Reset password'])
      expect(formOf(`${fresh} | ${buttons}`, [title]).filled).not.toEqual(['none']);
    expect(formOf(`${account} | submit:Log in`, [title]).filled).toEqual(['none']);
  },
);

test.each([
  'Delete account',
  'Delete',
  'Close my account',
  'Cancel subscription',
  'Deactivate',
  'Account deletion',
  'Transfer money',
  'Transfer',
  'Pay now',
  'Pay $20',
  'Confirm payment',
  'Place order',
  'Send money',
  'Withdraw',
  'Disable two-factor',
  'Generate API key',
  'Add member',
  'Transfer ownership',
  'Konto löschen',
  'Supprimer mon compte',
  'Eliminar cuenta',
  'Jetzt bezahlen',
  'Удалить аккаунт',
  '注销账号',
  '立即支付',
  'アカウントを削除',
])(
  'a form with a button “%s” is no plain log-in, whatever its other button says [vault.review.place.login-form]',
  (name) => {
    for (const first of ['Continue', 'Log in', 'OK'])
      for (const buttons of [`submit:${first} | submit:${name}`, `submit:${name} | submit:${first}`]) {
        const { filled, inGroup } = formOf(`${account}current-password | ${buttons}`);
        expect([buttons, filled, inGroup]).not.toEqual([buttons, ['none'], inGroup]);
        expect([buttons, filled, inGroup]).not.toEqual([buttons, filled, ['none']]);
      }
  },
);

test.each([
  'submit:Sign up',
  'submit:Create account',
  'submit:Forgot password',
  'submit:Reset password',
  'submit:Change password',
  'submit:Log in with Google',
  'submit:Continue with Apple',
  'submit:Sign in with a passkey',
  'submit:Use a security key',
  'submit:Use a backup code',
  'submit:Subscribe',
  'submit:Check out as guest',
  'submit:Continue as guest',
  'submit:Pay as a guest',
  'submit:Pay without logging in',
  'submit:Pay without signing in:fastPayButton',
  'submit:Authorize',
  'submit:Send code',
  'submit:Email me a link',
  'submit:Search',
  'submit:Cancel',
  'submit:Clear',
  'submit:Close',
  'submit:Abbrechen',
  'submit:Annuler',
  'reset:Löschen',
  'reset:Borrar',
  'submit:Change language',
  'submit:Delete cookies',
  'submit:Demo',
  'submit:Help',
  'submit:Report a problem',
])('a log-in form has a button %s beside its own [vault.review.logins]', (other) => {
  for (const first of ['Continue', 'Log in'])
    expect(formOf(`${account}current-password | submit:${first} | ${other}`).filled).toEqual(['none']);
});

test('so is one whose other button a script hears, and none for what clears a field [vault.review.place.login-form]', () => {
  const of = (name: string) =>
    formOf(`${account}current-password | submit:Continue | button:${name}`).filled.join();
  for (const name of ['Delete account', 'Konto löschen', '注销账号', 'deleteAccount'])
    expect([name, of(name)]).not.toEqual([name, 'none']);
  for (const name of ['Delete', 'Löschen', '清空', 'Clear']) expect([name, of(name)]).toEqual([name, 'none']);
});

test('keys on the screen by which a PIN is typed are no buttons that act [vault.review.logins]', () => {
  const keys = Array.from({ length: 10 }, (_, digit) => digit)
    .map((digit) => `submit:${digit}`)
    .join(' | ');
  const line = `/login | text:User ID:user: | password:PIN:pin: | ${keys} | submit:Delete | submit:Log in`;
  expect(formOf(line).filled).toEqual(['none']);
  expect(formOf(line.replace('submit:Delete', 'submit:Delete account')).filled).not.toEqual(['none']);
});
