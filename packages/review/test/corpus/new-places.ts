import {
  field,
  fill,
  loginForm,
  type Objectionable,
  otherForm,
  passwordField,
  script,
  shop,
  target,
} from './situations.ts';

const password = '{{CREDENTIAL.password}}';
const identity = { type: 'identity_credential', allowedUrls: [shop] } as const;
const unbound = { type: 'username_password', allowedUrls: [] } as const;
const atLogin = { origin: shop, path: '/session', method: 'POST', field: 'it' } as const;

/** Where no secret of the credential went before, or where it may not be the page that its server made. */
export const newPlaces: readonly Objectionable[] = [
  [
    'credential.unbound',
    'a log-in, of a credential without addresses',
    fill(password, passwordField(), { credential: unbound }),
    'ask',
  ],
  [
    'credential.unbound',
    'a user name, of a credential without addresses',
    fill('{{CREDENTIAL.username}}', target({ tag: 'input', type: 'text', names: ['User name'] }), {
      credential: { ...unbound, uses: [{ ...atLogin, origin: 'https://bank.example' }] },
    }),
    'ask',
  ],
  [
    'credential.new-place',
    'an identity presented by a script',
    script(`await fetch('/verify', {method: 'POST', body: {{CREDENTIAL.credential_json}}})`, {
      credential: identity,
    }),
    'ask',
  ],
  [
    'request.public_post',
    'an identity presented as a comment',
    script(`await fetch('/comments', {method: 'POST', body: {{CREDENTIAL.credential_json}}})`, {
      credential: identity,
    }),
    'deny',
  ],
  [
    'credential.new-place',
    'a log-in, once a script of the agent ran in the page',
    fill(password, passwordField(), { touched: true }),
    'ask',
  ],
  [
    'credential.new-place',
    'a comment that says that it is a password',
    fill(
      password,
      passwordField({ form: { ...otherForm, fields: [...otherForm.fields, field('file', 'picture')] } }),
    ),
    'ask',
  ],
  [
    'credential.new-place',
    'a log-in with a button to elsewhere',
    fill(password, passwordField({ form: { ...loginForm, otherActions: [`${shop}/comments`] } }), {
      credential: { type: 'username_password', allowedUrls: [shop], uses: [atLogin] },
    }),
    'ask',
  ],
  [
    'credential.new-place',
    'another field than the one where it was allowed',
    fill(password, passwordField({ type: 'text', autocomplete: '', names: ['Token'], field: 'note' }), {
      credential: { type: 'username_password', allowedUrls: [shop], uses: [atLogin] },
    }),
    'ask',
  ],
  [
    'credential.new-place',
    'a known place that a script decides, once the agent had a hand in it',
    fill(password, passwordField({ form: null }), {
      credential: {
        type: 'username_password',
        allowedUrls: [shop],
        uses: [{ ...atLogin, path: '/login', method: 'UNSAID' }],
      },
      touched: true,
    }),
    'ask',
  ],
  [
    'credential.new-place',
    'a known place whose form names no address, once the agent had a hand in it',
    fill(password, passwordField({ form: { ...loginForm, action: `${shop}/login` } }), {
      credential: {
        type: 'username_password',
        allowedUrls: [shop],
        uses: [{ ...atLogin, path: '/login' }],
      },
      touched: true,
    }),
    'ask',
  ],
];
