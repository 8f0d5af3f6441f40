import type { Review } from '../../src/observation.ts';
import {
  click,
  extract,
  field,
  fill,
  link,
  loginForm,
  navigate,
  passwordField,
  review,
  script,
  shop,
  submit,
  target,
} from './situations.ts';

const password = '{{CREDENTIAL.password}}';
const sites = [shop, 'https://id.example'];
const twoSites = {
  allowedUrls: sites,
  credential: { type: 'username_password', allowedUrls: sites },
} as const;
const search = { action: `${shop}/search`, method: 'GET', fields: [field('search', 'Search')] } as const;
const firstStep = {
  action: `${shop}/login/next`,
  method: 'POST',
  fields: [field('email', 'E-mail')],
} as const;
const code = {
  action: `${shop}/login/code`,
  method: 'POST',
  fields: [field('text', 'Verification code', 'one-time-code')],
} as const;

/** What honest agents do all day. Nothing of it is rejected or put before a person. */
export const ordinary: readonly (readonly [situation: string, review: Review])[] = [
  ['open the login', navigate(`${shop}/login`, { url: 'about:blank' })],
  ['open a page by its query', navigate(`${shop}/orders?page=2&sort=date#top`)],
  ['go back from a page that got out of scope', navigate(`${shop}/`, { url: 'https://evil.example/' })],
  ['go to the second site of the session', navigate('https://id.example/', twoSites)],
  [
    'user name',
    fill(
      '{{CREDENTIAL.username}}',
      target({ tag: 'input', type: 'text', names: ['User name'], autocomplete: 'username', form: loginForm }),
    ),
  ],
  ['password', fill(password, passwordField())],
  [
    'password where it was allowed before, by a script of the agent’s that a person has seen',
    fill(password, passwordField({ field: 'pin', names: ['Password or PIN'] }), {
      credential: {
        type: 'username_password',
        allowedUrls: [],
        uses: [{ origin: shop, path: '/session', method: 'POST', field: 'pin' }],
      },
      touched: true,
    }),
  ],
  [
    'user name on a site that was agreed to',
    fill(
      '{{CREDENTIAL.username}}',
      target({ tag: 'input', type: 'text', names: ['User name'], autocomplete: 'username', form: loginForm }),
      {
        credential: {
          type: 'username_password',
          allowedUrls: [],
          uses: [{ origin: shop, path: '/session', method: 'POST', field: 'password' }],
        },
      },
    ),
  ],
  ['password in a field that shows it', fill(password, passwordField({ type: 'text' }))],
  [
    'password in a frame of the identity provider',
    fill(
      password,
      passwordField({
        frameUrl: 'https://id.example/login',
        form: { ...loginForm, action: 'https://id.example/session' },
      }),
      twoSites,
    ),
  ],
  ['password without a form', fill(password, passwordField({ form: null }))],
  [
    'password in a form that its page sends',
    fill(password, passwordField({ form: { ...loginForm, method: 'UNSAID' } })),
  ],
  ['log in', click(submit('Log in', loginForm))],
  ['log in and go on', click(submit('Sign in to send messages', loginForm))],
  ['log in by Enter', review({ operation_type: 'press', value: 'Enter' }, { target: passwordField() })],
  [
    'e-mail first',
    fill(
      '{{CREDENTIAL.username}}',
      target({ tag: 'input', type: 'email', names: ['E-mail'], form: firstStep }),
    ),
  ],
  ['next step', click(submit('Next', firstStep))],
  [
    'code',
    fill(
      '123456',
      target({
        tag: 'input',
        type: 'text',
        names: ['Verification code'],
        autocomplete: 'one-time-code',
        form: code,
      }),
    ),
  ],
  ['send the code', click(submit('Verify', code))],
  [
    'API key into a field where it was allowed before',
    fill(
      '{{CREDENTIAL.key}}',
      target({
        tag: 'input',
        type: 'text',
        names: ['API key'],
        form: { ...loginForm, fields: [field('text', 'API key')] },
      }),
      {
        credential: {
          type: 'api_key',
          allowedUrls: [shop],
          uses: [{ origin: shop, path: '/session', method: 'POST', field: 'it' }],
        },
      },
    ),
  ],
  ['search', fill('pens', target({ tag: 'input', type: 'search', names: ['Search'], form: search }))],
  ['send the search', click(submit('Search', search))],
  ['orders', click(link('My orders', `${shop}/orders`))],
  ['the page of the checkout', navigate(`${shop}/checkout`)],
  ['payments', click(link('Payments', `${shop}/payments`))],
  ['members', click(link('Members', `${shop}/team/members`))],
  ['order history', click(link('Order history', `${shop}/account/order-history`))],
  ['posts of a blog', click(link('Blog posts', `${shop}/blog`))],
  ['comments', click(link('3 comments', `${shop}/item/3#comments`))],
  ['prices', click(link('Prices and plans', `${shop}/prices`))],
  ['settings', click(link('Settings', `${shop}/settings`))],
  [
    'forgotten password is offered',
    review(
      { operation_type: 'hover', selector: '#it' },
      { target: link('Reset password', `${shop}/reset-password`) },
    ),
  ],
  [
    'look at a button without pressing it',
    review({ operation_type: 'scroll', selector: '#it' }, { target: target({ names: ['Delete account'] }) }),
  ],
  ['menu', click(target({ names: ['Menu'] }))],
  ['close a banner', click(target({ names: ['Close'] }))],
  ['accept cookies', click(target({ names: ['Accept all cookies'] }))],
  ['remove a filter', click(target({ names: ['Remove filter'] }))],
  ['show more', click(target({ names: ['Show more'] }))],
  ['a link that calls a script of its page', click(link('More', 'javascript:void(0)'))],
  ['next page', click(link('Next', `${shop}/orders?page=2`))],
  [
    'choose a year',
    review(
      { operation_type: 'select', selector: '#it', value: '2026' },
      { target: target({ tag: 'select', type: '', names: ['Year'] }) },
    ),
  ],
  ['tab', review({ operation_type: 'press', value: 'Tab' })],
  ['wait', review({ operation_type: 'wait', value: 500 })],
  ['wait for an element', review({ operation_type: 'wait', selector: '#it' }, { target: target() })],
  ['read a heading', extract(1, 40)],
  ['read a table', extract(200, 9000)],
  ['read a page', extract(1, 20_000)],
  ['read by script', script('return document.title')],
  [
    'a page of IPv6',
    extract(1, 10, {
      allowedUrls: ['http://[::1]:3000'],
      url: 'http://[::1]:3000/',
      target: target({ frameUrl: 'http://[::1]:3000/' }),
    }),
  ],
  [
    'present an identity where it is authorised',
    fill(
      '{{CREDENTIAL.credential_json}}',
      target({
        tag: 'textarea',
        type: '',
        names: ['Your credential'],
        form: { action: `${shop}/verify`, method: 'POST', fields: [field('textarea', 'Your credential')] },
      }),
      { credential: { type: 'identity_credential', allowedUrls: [shop] } },
    ),
  ],
];
