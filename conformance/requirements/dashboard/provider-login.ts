import type { Requirement } from '../requirement.ts';

const source = 'issue 18, 3; decision 0038';

/** People who sign in through an OpenID Connect provider. */
export const dashboardProviderLoginRequirements = [
  {
    id: 'dashboard.provider-login.away',
    source,
    behaviour:
      'Whoever has not signed in through the provider for OIDC_AWAY_DAYS is removed, with the API keys, clients and tokens elsewhere that they made; at their next sign-in they are the same person, without these.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.outage',
    source,
    behaviour:
      'The days of OIDC_AWAY_DAYS begin anew for everybody after a day in which no dashboard was up or the provider did not answer.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login',
    source,
    behaviour:
      'POST /api/auth/provider/begin answers {url}, where the provider of OIDC_ISSUER asks who somebody is, and POST /api/auth/provider/login {state, code, iss} with what it sent back logs them in as a person of OIDC_ACCOUNT: same answer and cookie as a login.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.settings',
    source,
    behaviour:
      'OIDC_ISSUER is https, or http on loopback; with it OIDC_CLIENT_ID, OIDC_ACCOUNT and OIDC_GROUP_ROLES are required. OIDC_GROUP_ROLES is JSON that gives each group a list of roles.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.request',
    source,
    behaviour:
      'The request is for a code, with PKCE (S256), state and nonce that are new each time; a cookie __Host-provider_login (HttpOnly, SameSite=Lax, Secure but on loopback) binds it to the browser.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.state',
    source,
    behaviour:
      'A state works once, for 10 minutes, in the browser that began it, of requests at the same moment for one; it is used up whoever shows it: 401, 80000019.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.code',
    source,
    behaviour:
      'A code that was used or belongs to another login is 401, 80000019, with data.error invalid_grant: it takes the verifier of its own login.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.token',
    source,
    behaviour:
      'An identity token counts only if a key of the provider’s signed it (never alg none nor a shared secret), with its iss, our aud (azp where there are several), the nonce of this login and a subject of 1 to 255 visible ASCII characters: else 401, 80000019, with data.error untrusted_answer.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.clock',
    source,
    behaviour:
      'exp, nbf and iat of an identity token may differ from our clock by 60 s, and by no second more.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.mix-up',
    source,
    behaviour:
      'An iss that is another issuer’s, or missing where the provider promises it (RFC 9207), is refused before the code is sent anywhere; so are metadata of another issuer, and a login that was begun with another one.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.redirects',
    source,
    behaviour:
      'No redirect of the provider’s metadata, keys or endpoints is followed. No answer within 5 s, more than 1 MiB, or anything but JSON logs nobody in: 401, 80000019, with data.error.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.errors',
    source,
    behaviour:
      'Each error code of RFC 6749 (4.1.2.1, 5.2) and of OpenID Connect Core (3.1.2.6) is told as data.error, any other as unknown_error, in words of ours; no description of the provider’s is repeated or logged.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.userinfo',
    source,
    behaviour:
      'Where the identity token has no group claim or no name, the provider’s userinfo endpoint is asked; its answer counts for the same subject alone, and never against the token.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.origin',
    source,
    behaviour:
      'Both calls need our own Origin (403, 80000004), and the way back the one that began. They are limited with the other logins (RATE_LIMIT_LOGINS).',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.subject',
    source,
    behaviour:
      'A person is who they are by issuer and subject alone: another subject with the same e-mail address or name is another person, and nobody who was invited. Logins at the same moment make one person.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.name',
    source,
    behaviour:
      'The name is that of the first login: name or preferred_username, if people can read it and it is neither the holder’s nor somebody else’s of the account, also of the provider’s people who left; else “Person” and six characters.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.roles',
    source,
    behaviour:
      'The roles are those of all groups in OIDC_GROUP_ROLES, read anew at each login. Nobody changes them here or gives such a person another sign-in: 403, 80000004.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.groups',
    source,
    behaviour:
      'A group counts by its whole name. A claim that is left out, is no list of texts or is said elsewhere (_claim_names, hasgroups) logs nobody in and changes nobody; 10,000 groups are read.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.changed',
    source,
    behaviour:
      'A login whose groups give other roles ends the person’s earlier sessions, their open invitations, and the keys and connections that only the old roles allowed; it is on record.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.left',
    source,
    behaviour:
      'A login whose groups give no role is 401, 80000019, and removes the person with their sessions, keys and connections; a later one with a group makes the same person again. Both are on record.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.shut-out',
    source,
    behaviour:
      'Whoever DELETE /api/people/:id removed is refused at the provider’s login whatever their groups, also after the account’s erasure, until an owner lets them back in: GET /api/people/shut-out, DELETE /api/people/shut-out/:id.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.account',
    source,
    behaviour:
      'Without OIDC_ISSUER both calls are 404, 80000011. While the wallet of OIDC_ACCOUNT has never logged in, nobody comes in through the provider.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider-login.kept',
    source,
    behaviour:
      'Of state and cookie SHA-256 are kept, of nonce, verifier, code and tokens nothing. Issuer, subject and name are in the export of the account and are deleted by its erasure; of who is shut out a hash of the subject stays.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];

/** How the console signs people in through the provider. */
export const consoleProviderLoginRequirements = [
  {
    id: 'dashboard.console.provider-login',
    source,
    behaviour:
      'The sign-in page has a button with OIDC_NAME, leads back to the page that was wanted, keeps no code in the history, and says in our words why somebody is not signed in. People who come in so are marked, removed and let back in under People.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
