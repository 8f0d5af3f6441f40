import { expect, test } from 'vitest';
import { requestFactsOf } from './facts.ts';
import type { SentRequest } from './seen.ts';
import { judgeRequest } from './judge.ts';

const site = 'https://shop.example';
type Given = Partial<SentRequest> & { readonly isFromLogin?: boolean };
const rulesOf = (line: string, body: string, { isFromLogin = false, ...given }: Given): string[] => {
  const [method = '', path = ''] = line.split(' ');
  const contentType = /^[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded';
  const sent = { method, url: site + path, resource: 'fetch', contentType, body, carriesCredential: false };
  const about = { task: 'Log in and read my orders', approval: 'auto', isFromLogin } as const;
  const facts = requestFactsOf({ ...sent, pageUrl: `${site}/home`, ...given }, about, (text) => text);
  return judgeRequest(facts).rules.map(({ rule }) => rule);
};

/** Steps of log-ins, of which none shows by itself that somebody logs in. */
const steps = [
  ['POST /login/2fa', 'otp=123456'],
  ['POST /auth/verify', '{"code":"123456"}'],
  ['POST /signin/challenge', 'action=resend'],
  ['POST /api/sso/identify', '{"email":"a"}'],
  ['POST /saml/acs', 'SAMLResponse=x&RelayState=y'],
  ['POST /api/auth/otp/send', '{"phone":"1"}'],
  ['POST /graphql', '{"query":"mutation { verifyOtp(code: 1) { token } }"}'],
  ['POST /devices/7/authenticate', ''],
] as const;

test.each(steps)(
  'a step of a log-in passes where one is under way: %s %s [vault.review.request.log-in-under-way]',
  (line, body) => {
    expect(rulesOf(line, body, { isFromLogin: true })).toEqual(['none']);
    for (const page of [
      '/login',
      '/users/sign_in',
      '/u/login/identifier',
      '/wp-login.php',
      '/oauth/authorize',
    ])
      expect(rulesOf(line, body, { pageUrl: site + page })).toEqual(['none']);
  },
);

test.each(steps)(
  'and is asked about elsewhere: %s %s [vault.review.request.log-in-under-way]',
  (line, body) => {
    for (const page of ['/home', '/settings/login', '/settings/login-alerts', '/admin/sso', '/login-history'])
      expect(rulesOf(line, body, { pageUrl: site + page })).not.toContain('none');
  },
);

test.each([
  ['POST /api/profile', '{"email":"a@shop.example"}'],
  ['POST /settings/contact', 'email=a'],
  ['POST /api/devices/7', '{"code":"123456"}'],
  ['POST /users/me', '{"username":"a"}'],
])(
  'what is set in an account is no step of a log-in, though it is typed in one: %s %s [vault.review.request.log-in-under-way]',
  (line, body) => {
    expect(rulesOf(line, body, { isFromLogin: true })).not.toContain('none');
  },
);

test.each([
  ['POST /oauth/token', 'grant_type=refresh_token&refresh_token=x'],
  ['POST /oauth2/v2.0/token', 'grant_type=refresh_token&refresh_token=x&client_id=c&scope=openid'],
  ['POST /oauth/token', 'grant_type=authorization_code&code=x&code_verifier=y&redirect_uri=z&client_id=c'],
  ['POST /connect/token', '{"grant_type":"refresh_token","refresh_token":"x"}'],
  ['POST /auth/refresh', ''],
  ['POST /auth/refresh', '{}'],
  ['POST /api/auth/session', ''],
  ['POST /api/v1/auth/refresh-token', '{"refreshToken":"x"}'],
  ['POST /token/refresh', '{"refresh":"x"}'],
  ['POST /login', '{"username":"a","password":"b"}'],
  ['POST /users/sign_in', 'user[email]=a&user[password]=b'],
] as const)(
  'a page renews its own session, and whoever types account and password signs in: %s %s [vault.review.request.log-in-under-way]',
  (line, body) => {
    expect(rulesOf(line, body, {})).toEqual(['none']);
  },
);

test.each([
  ['POST /projects/7/token', 'grant_type=refresh_token&refresh_token=x'],
  ['POST /oauth/token', 'grant_type=refresh_token&refresh_token=x&role=admin'],
  ['POST /oauth/token', 'grant_type=client_credentials&client_id=c'],
  ['POST /auth/refresh', '{"scopes":["all"]}'],
  ['POST /auth/7/refresh', ''],
  ['POST /session', ''],
  ['POST /loan/renew', ''],
  ['POST /hr/session', ''],
  ['POST /identity/renew', ''],
  ['POST /password/token', 'grant_type=refresh_token&refresh_token=x'],
  ['POST /token', ''],
  ['POST /settings/login', '{"username":"a","password":"b"}'],
  ['POST /admin/users/login', '{"username":"a","password":"b"}'],
  ['POST /users/7/login', '{"username":"a","password":"b"}'],
  ['POST /graphql', '{"query":"mutation { authorizePayment(id: 1) { ok } }"}'],
  ['POST /graphql', '{"query":"mutation { loginSettingsSet(on: false) { ok } }"}'],
] as const)(
  'what only looks like that is asked about: %s %s [vault.review.request.log-in-under-way]',
  (line, body) => {
    expect(rulesOf(line, body, {})).not.toContain('none');
  },
);
