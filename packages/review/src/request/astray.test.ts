import { expect, test } from 'vitest';
import type { ObservedField, ObservedTarget } from '../observation.ts';
import { goesAstray } from './astray.ts';
import type { Put, SetOff } from './put.ts';
import { routeOf } from './route.ts';

const at = 'https://forum.example/app';
const field = (tag: string, type: string, ...names: string[]): ObservedField => ({
  tag,
  type,
  autocomplete: '',
  names,
  visible: true,
});
const [user, pw, go] = [
  field('input', 'text', 'User name', 'user'),
  field('input', 'password', 'Password', 'pw'),
  field('button', 'submit', 'Log in'),
];

const seen = (
  password: ObservedField,
  others: readonly ObservedField[],
  titles: string[],
): ObservedTarget => ({
  ...password,
  frameUrl: at,
  field: 'pw',
  covered: false,
  link: null,
  form: { action: at, method: 'UNSAID', fields: [user, password, ...others] },
  titles,
});
const login = seen(pw, [go], ['Log in']);

const put = (rest: Partial<Put> = {}): Put => ({
  asLogin: true,
  was: login,
  before: login,
  now: login,
  ...rest,
});
const atLogin: SetOff = { isLogin: true, names: ['Log in'] };
const strays = (given: Partial<Put>, setOff = atLogin, path = '/v1/items', isSignIn = false) =>
  goesAstray(put(given), setOff, { route: routeOf(`https://forum.example${path}`), isSignIn });

const wheel = seen(pw, [field('button', 'submit', 'Signing in…')], ['Log in', 'Please wait']);

test.each<[string, Partial<Put>, SetOff]>([
  ['nothing changed', {}, atLogin],
  ['its button says that it is at work', { now: wheel }, atLogin],
  ['its button has become a wheel', { now: seen(pw, [], ['Log in']) }, atLogin],
  ['the form is gone when the request leaves', { now: null }, atLogin],
  ['the page stands still', { now: 'unknown' }, atLogin],
  ['a second step is a log-in of its own', { before: null, now: null }, { isLogin: true, names: ['Verify'] }],
  ['the password is shown', { before: seen({ ...pw, type: 'text' }, [go], ['Log in']) }, atLogin],
  [
    'the label says what was wrong',
    { before: seen(field('input', 'password', 'Password This field is required', 'pw'), [go], ['Log in']) },
    atLogin,
  ],
  ['a link says that it logs in', {}, { isLogin: false, names: ['Log in'] }],
  ['Enter is pressed in the field', {}, { isLogin: true, names: ['Password', 'pw'] }],
])('a secret goes where it was let in for: %s [vault.review.logins]', (_, given, setOff) => {
  expect(strays(given, setOff)).toBe(false);
});

const text = field('input', 'text', 'Your text', 'pw');
const book = seen(text, [field('button', 'submit', 'Next')], ['Guest book']);
const more = field('textarea', '', 'Your message');
const unseen = { ...more, visible: false };

test.each<[string, Partial<Put>, SetOff]>([
  ['its field is called otherwise', { before: book, now: book }, atLogin],
  ['its field is called otherwise by then', { now: book }, atLogin],
  ['there is a text to write', { before: seen(pw, [more, go], ['Log in']) }, atLogin],
  ['there is a text to write by then', { now: seen(pw, [more, go], ['Log in']) }, atLogin],
  [
    'a text to write is shown that was there',
    { was: seen(pw, [unseen, go], ['Log in']), before: seen(pw, [more, go], ['Log in']) },
    atLogin,
  ],
  [
    'a text to write is shown by then',
    {
      was: seen(pw, [unseen, go], ['Log in']),
      before: seen(pw, [unseen, go], ['Log in']),
      now: seen(pw, [more, go], ['Log in']),
    },
    atLogin,
  ],
  [
    'nothing says log in any more',
    { before: seen(pw, [field('button', 'submit', 'Next')], ['Guest book']) },
    atLogin,
  ],
  [
    'its button says something else by then',
    { now: seen(pw, [field('button', 'submit', 'Post comment')], ['Log in']) },
    atLogin,
  ],
  [
    'its form leads elsewhere by then',
    {
      now: {
        ...login,
        form: { action: 'https://forum.example/book', method: 'POST', fields: [user, pw, go] },
      },
    },
    atLogin,
  ],
  ['a tab sends it', {}, { isLogin: true, names: ['Guest book'] }],
  [
    'what is no log-in sends it when its form is gone',
    { before: null, now: null },
    { isLogin: false, names: ['Log in'] },
  ],
  ['nothing was done', {}, { isLogin: false, names: [] }],
])('a secret goes astray: %s [vault.review.request.field-kept]', (_, given, setOff) => {
  expect(strays(given, setOff)).toBe(true);
});

test('to where others read it goes only where the form itself says so [vault.review.request.field-kept]', () => {
  expect(strays({}, atLogin, '/forum/comments')).toBe(true);
  const said = {
    ...login,
    form: { action: 'https://forum.example/comments', method: 'POST', fields: [user, pw, go] },
  } as const;
  expect(strays({ was: said, before: said, now: said }, atLogin, '/comments')).toBe(false);
  for (const path of ['/messages', '/profile', '/comments/login'])
    expect(strays({}, atLogin, path)).toBe(false);
});

test('what a person let in goes as long as its form asks for the same [vault.review.request.field-kept]', () => {
  const agreed = { asLogin: false, was: book, before: book, now: book };
  const other = { isLogin: false, names: ['Next'] };
  expect(strays(agreed, other)).toBe(false);
  expect(strays({ ...agreed, before: null, now: null }, other)).toBe(false);
  expect(strays({ ...agreed, now: seen(text, [more], ['Guest book']) }, other)).toBe(true);
  expect(
    strays({ ...agreed, before: seen(field('input', 'text', 'Public note', 'pw'), [], []) }, other),
  ).toBe(true);
});
