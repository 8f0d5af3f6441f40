import { expect, test } from 'vitest';
import {
  click,
  field,
  fill,
  link,
  loginForm,
  passwordField,
  shop,
  submit,
  target,
} from '../test/corpus/situations.ts';
import { factsOf } from './facts.ts';
import { purposeOf } from './form.ts';
import type { ObservedForm, Review } from './observation.ts';
import { judge } from './review.ts';

const judged = (review: Review) => judge(factsOf(review, { commit: () => '', mask: (text) => text }));
const rules = (review: Review) => judged(review).rules.map(({ rule }) => rule);

const password = field('password', 'password', 'current-password');
const hidden = (name: string, value: string) => ({ ...field('hidden', name), visible: false, value });
const button = (name: string) => ({ ...field('submit', name), tag: 'button' });
/** Asks for the password again, and says nowhere but beside it what for. */
const again = (more: Partial<ObservedForm> = {}, ...rest: ObservedForm['fields']): ObservedForm => ({
  action: `${shop}/continue`,
  method: 'POST',
  fields: [password, ...rest, button('Continue')],
  ...more,
});

test.each([
  ['delete', 'Close your account'],
  ['delete', 'Close your account: enter your password to confirm'],
  ['delete', 'Sign in again to delete your account'],
  ['delete', 'Konto löschen'],
  ['delete', 'Supprimer votre compte'],
  ['delete', 'Eliminar la cuenta'],
  ['delete', 'アカウントを削除'],
  ['delete', '注销账号'],
  ['payment', 'Confirm your payment'],
  ['payment', 'Transfer € 90 to A. Smith'],
  ['payment', 'Zahlung bestätigen'],
  ['payment', 'Überweisung bestätigen'],
  ['payment', 'Confirmer le paiement'],
  ['credential_change', 'Change your e-mail address'],
  ['credential_change', 'Choose a new password'],
  ['credential_change', 'Passwort ändern'],
  ['mfa_change', 'Turn off two-factor authentication'],
  ['permission_grant', 'Authorize Acme to use your account'],
])(
  '%s by its heading: a password asked for under “%s” is no log-in [vault.review.act.read-there]',
  (kind, title) => {
    for (const action of ['/continue', '/login', '/session']) {
      const form = again({ action: shop + action });
      const at = { form, titles: [title] };
      expect(rules(click(target({ ...submit('Continue', form), ...at })))).toContain(`intent.${kind}`);
      expect(rules(fill('{{CREDENTIAL.password}}', passwordField(at)))).toContain('credential.new-place');
    }
  },
);

test.each([
  ['op', 'close'],
  ['action', 'delete'],
  ['cmd', 'transfer_funds'],
  ['delete_account', '1'],
  ['amount', '?'],
  ['payee', '?'],
  ['new_email', '?'],
])(
  'a hidden field %s=%s beside a password makes its form no log-in [vault.review.act.read-there]',
  (name, value) => {
    for (const form of [
      again({}, hidden(name, value)),
      { ...again({}, hidden(name, value)), action: `${shop}/login` },
    ])
      expect(purposeOf(form, { frameUrl: `${shop}/login` })).toBe('other');
  },
);

test('what an address asks for beside a password counts, too [vault.review.act.read-there]', () => {
  expect(purposeOf(again({ action: `${shop}/session?op=close` }), target())).toBe('other');
  expect(purposeOf(again({ action: `${shop}/login?action=login` }), target())).toBe('login');
});

test('a new password alone, at an address that is called a log-in, is none [vault.review.act.read-there]', () => {
  const fresh = { ...password, autocomplete: 'new-password' };
  const form = { ...again(), action: `${shop}/login/password`, fields: [fresh, button('Continue')] };
  expect(rules(click(submit('Continue', form)))).toContain('intent.credential_change');
});

test.each([
  ['Sign in to your account'],
  ['Welcome back'],
  ['Enter your password'],
  ['Confirm your password'],
  ['Log in to pay your bill'],
  ['Verify that it’s you'],
  ['Your session has expired. Log in to continue.'],
  ['We never share your password.'],
  ['Forgot your password?'],
  ['Payments'],
  ['Acme Pay'],
  ['Order history'],
  ['Anmelden, um fortzufahren'],
  ['Melden Sie sich an'],
])('a log-in under “%s” is one [vault.review.logins]', (title) => {
  const asks = { ...loginForm, fields: [...loginForm.fields, hidden('action', 'login'), button('Sign in')] };
  for (const form of [asks, ...(title.includes('pay your bill') ? [] : [again({ action: `${shop}/login` })])])
    expect(purposeOf(form, { frameUrl: `${shop}/login`, titles: [title] })).toBe('login');
});

test('a password that no form holds is asked about under a heading of another act [vault.review.act.read-there]', () => {
  const into = passwordField({ form: null, titles: ['Close your account'] });
  expect(rules(fill('{{CREDENTIAL.password}}', into))).toContain('credential.new-place');
  expect(rules(fill('{{CREDENTIAL.password}}', { ...into, titles: ['Sign in'] }))).toEqual(['none']);
});

const neutral = `${shop}/a.php?x=17`;

test.each([
  ['delete', 'Close account'],
  ['delete', 'Cancel subscription'],
  ['delete', 'Cancel my order'],
  ['delete', 'Delete item'],
  ['delete', 'Konto löschen'],
  ['delete', 'Abo kündigen'],
  ['delete', 'Bestellung stornieren'],
  ['delete', 'Supprimer le compte'],
  ['delete', 'Résilier mon abonnement'],
  ['delete', 'Borrar cuenta'],
  ['delete', 'Cancelar suscripción'],
  ['delete', 'Account verwijderen'],
  ['delete', 'Usuń konto'],
  ['delete', 'Удалить аккаунт'],
  ['delete', 'Hesabı sil'],
  ['delete', 'アカウントを削除'],
  ['delete', '계정 삭제'],
  ['delete', '删除账户'],
  ['payment', 'Buy now'],
  ['payment', 'Pay now'],
  ['payment', 'Pay € 37.00'],
  ['payment', 'Pay invoice'],
  ['payment', 'Place your order'],
  ['payment', 'Jetzt kaufen'],
  ['payment', 'Zahlungspflichtig bestellen'],
  ['payment', 'Acheter maintenant'],
  ['payment', 'Comprar ahora'],
  ['payment', 'Оплатить'],
  ['payment', '立即购买'],
])(
  '%s: a link or a button called “%s” does it, wherever it leads [vault.review.act.read-there]',
  (kind, name) => {
    expect(rules(click(link(name, neutral)))).toContain(`intent.${kind}`);
    expect(rules(click(target({ names: [name] })))).toContain(`intent.${kind}`);
    expect(rules(click(link(name, '#')))).toContain(`intent.${kind}`);
  },
);

test.each([
  ['Payments', neutral],
  ['Cancel', neutral],
  ['Close', neutral],
  ['Abbrechen', neutral],
  ['Annuler', neutral],
  ['Cancelar', neutral],
  ['Schließen', neutral],
  ['取消', neutral],
  ['Order history', neutral],
  ['Cancelled orders', neutral],
  ['Cancellation policy', neutral],
  ['How to delete your account', `${shop}/help/17`],
  ['Delete your account', `${shop}/hc/en-us/articles/360017`],
  ['How do I cancel my subscription?', neutral],
  ['Gelöschte Dateien', neutral],
  ['Zahlungen', neutral],
  ['Paid invoices', neutral],
  ['Buyer protection', neutral],
  ['Orders', neutral],
  ['Kaufberatung', neutral],
])('“%s” is neither, as a link or a button [vault.review.harmless-reads]', (name, to) => {
  expect(rules(click(link(name, to)))).toEqual(['none']);
  // An article of this name is a link alone.
  expect(to !== neutral || rules(click(target({ names: [name] })))[0] === 'none').toBe(true);
});

test('a form that is sent by GET is no search where a hidden field says what it does [vault.review.act.read-there]', () => {
  const form = { ...again({ method: 'GET' }), fields: [hidden('op', 'close'), button('Continue')] };
  expect(rules(click(submit('Continue', form)))).toContain('intent.form');
  const search = {
    ...form,
    fields: [hidden('mode', 'advanced'), hidden('status', 'closed'), button('Search')],
  };
  expect(rules(click(submit('Search', search)))).toEqual(['none']);
});

test('a form is what the heading above it says [vault.review.act.read-there]', () => {
  const form = { ...again(), fields: [button('Continue')] };
  const of = (title: string) => rules(click(target({ ...submit('Continue', form), titles: [title] })));
  expect(of('Delete your workspace')).toContain('intent.delete');
  expect(of('Your workspace')).toEqual(['intent.form']);
});
