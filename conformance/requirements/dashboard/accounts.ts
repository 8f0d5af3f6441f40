import type { Requirement } from '../requirement.ts';

/** Login, sessions, accounts, public keys and API keys. */
export const dashboardAccountRequirements = [
  {
    id: 'dashboard.login.nonce',
    source: 'page 2, Sessions and accounts',
    behaviour: 'POST /api/auth/nonce answers data.nonce.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.success',
    source: 'page 2, Sessions and accounts',
    behaviour:
      'POST /api/auth/login {message, signature} with a valid Sign-In with Ethereum message (EIP-4361) ' +
      'answers data {token, expiresAt, account}.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.cookie',
    source: 'page 2, Sessions and accounts; document 2, Authentication 2',
    behaviour: 'Login sets the cookie platform_session: HttpOnly, SameSite=Lax, and Secure off loopback.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.other-origins',
    source: 'issue 18, 4',
    behaviour:
      'People log in at, and send the session cookie from, each origin of DASHBOARD_OTHER_ORIGINS as at the public one; no answer names these.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.nonce-single-use',
    source: 'page 2, Sessions and accounts',
    behaviour: 'A nonce used once, or never issued, is refused at login: 401, 80000019.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.nonce-lifetime',
    source: 'page 2, Sessions and accounts',
    behaviour: 'A nonce older than 10 minutes is refused at login: 401, 80000019.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.wrong-signature',
    source: 'page 2, Which error, when',
    behaviour: 'A login whose signature is not by the address of the message is 401, 80000019.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.foreign-domain',
    source: 'page 2, Sessions and accounts',
    behaviour: 'A login message for another domain or URI is 401, 80000019.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.foreign-chain',
    source: 'page 2, Sessions and accounts',
    behaviour: 'A login message for another chain id is 401, 80000019.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.message-times',
    source: 'page 2, Which error, when',
    behaviour: 'A login message past its Expiration Time or before its Not Before is 401, 80000019.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.expiration-optional',
    source: 'page 2, Sessions and accounts',
    behaviour: 'Expiration Time may be absent; one more than 24 hours ahead is 401, 80000019.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.issued-at',
    source: 'page 2, Sessions and accounts',
    behaviour: 'An Issued At more than 10 minutes old is 401, 80000019.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.statement-optional',
    source: 'page 2, Sessions and accounts',
    behaviour: 'A login message works with and without a Statement.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.canonical-form',
    source: 'page 2, Sessions and accounts',
    behaviour: 'A login message that does not re-render identically is 401, 80000019.',
    status: 'tested',
  },
  {
    id: 'dashboard.login.contract-wallet',
    source: 'page 2, Sessions and accounts',
    behaviour: 'With an RPC URL set, ERC-1271 and ERC-6492 signatures of contract wallets log in too.',
    status: 'tested',
  },
  {
    id: 'dashboard.signature.one-form',
    source: 'page 2, Sessions and accounts; decision 0005',
    behaviour:
      'A key has one form of signature at login, over mandates and over approvals: 65 bytes, v 27 or 28, low s. Anything ' +
      'else is refused there as at the gateway; a contract is asked where there is code or the wrapper of ERC-6492.',
    status: 'tested',
  },
  {
    id: 'dashboard.signature.length',
    source: 'issue 15, 20',
    behaviour:
      'A signature has at most 16,383 bytes, at login, over mandates and over approvals alike; a longer one is 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.signature.key-stays',
    source: 'issue 15, 20; decision 0005',
    behaviour:
      'A wallet that has logged in with a key signs with that key everywhere: code that its address was given since ' +
      '(EIP-7702) is not asked. A contract whose code is gone signs nothing.',
    status: 'tested',
  },
  {
    id: 'dashboard.session.cookie',
    source: 'document 2, Authentication 2',
    behaviour: 'A session endpoint accepts the cookie platform_session.',
    status: 'tested',
  },
  {
    id: 'dashboard.session.bearer',
    source: 'document 2, Authentication 2',
    behaviour: 'A session endpoint accepts Authorization: Bearer with token (a JWT) of the login.',
    status: 'tested',
  },
  {
    id: 'dashboard.session.no-api-key',
    source: 'document 2, Authentication 2',
    behaviour:
      'Session endpoints need no apiKey in the body, and an apiKey there does not replace a session.',
    status: 'tested',
  },
  {
    id: 'dashboard.session.logout',
    source: 'page 2, Sessions and accounts',
    behaviour:
      'POST /api/auth/logout answers data null; the token is refused from then on (401, 80000019), on ' +
      'every process.',
    status: 'tested',
  },
  {
    id: 'dashboard.session.me',
    source: 'page 2, Sessions and accounts',
    behaviour: 'GET /api/auth/me answers data {account} with a session and 401 without one.',
    status: 'tested',
  },
  {
    id: 'dashboard.session.me.operator',
    source: 'decision 0005',
    behaviour: 'GET /api/auth/me answers operator: whether the wallet stands in OPERATOR_ADDRESSES.',
    status: 'tested',
  },
  {
    id: 'dashboard.session.list',
    source: 'decision 0005',
    behaviour:
      'GET /api/auth/sessions answers data {data: [{id, createdAt, lastSeenAt, expiresAt, current}]}: the ' +
      'live sessions of the own account, newest first.',
    status: 'tested',
  },
  {
    id: 'dashboard.session.end',
    source: 'decision 0005',
    behaviour:
      'DELETE /api/auth/sessions/:id answers data {id}; that token is refused from then on, on every process.',
    status: 'tested',
  },
  {
    id: 'dashboard.session.end.foreign',
    source: 'decision 0005',
    behaviour: 'DELETE /api/auth/sessions/:id of another account, or of none, is 404, 80000011.',
    status: 'tested',
  },
  {
    id: 'dashboard.session.csrf',
    source: 'page 2, Sessions and accounts; page 2, Which error, when',
    behaviour: 'A state-changing request with the cookie and a foreign Origin is 403, 80000004.',
    status: 'tested',
  },
  {
    id: 'dashboard.session.csrf.bearer',
    source: 'page 2, Sessions and accounts',
    behaviour: 'A state-changing request with a Bearer token and no cookie needs no Origin.',
    status: 'tested',
  },
  {
    id: 'dashboard.account.first-login',
    source: 'page 2, Sessions and accounts',
    behaviour:
      'The first login of a wallet makes its account {id, walletAddress, platformId, publicKey, ' +
      'createdAt}; later ones find the same.',
    status: 'tested',
  },
  {
    id: 'dashboard.account.public-key',
    source: 'page 2, Sessions and accounts; document 2, Account public key record',
    behaviour:
      'publicKey of an account is the uncompressed secp256k1 key (hex, 0x04) recovered from the login ' +
      'signature.',
    status: 'tested',
  },
  {
    id: 'dashboard.account.platform-id',
    source: 'page 2, Sessions and accounts',
    behaviour: 'platformId of an account is acct_ followed by its id.',
    status: 'tested',
  },
  {
    id: 'dashboard.public-key.success',
    source: 'document 2, Endpoints 1',
    behaviour:
      'POST /api/accounts/public-key {apiKey, walletAddress} answers 200 with data {walletAddress, ' +
      'publicKey}.',
    status: 'tested',
  },
  {
    id: 'dashboard.public-key.unknown-account',
    source: 'document 2, Endpoints 1; document 2, Errors; page 2, Which error, when',
    behaviour:
      'An unknown account is 404, 80000011 with data null and a msg saying that the account was not found.',
    status: 'tested',
  },
  {
    id: 'dashboard.public-key.any-counterparty',
    source: 'page 2, Sessions and accounts',
    behaviour: 'Public-key, KYC and KYT look-ups answer any key about any wallet.',
    status: 'tested',
  },
  {
    id: 'dashboard.api-key.in-body',
    source: 'document 2, Authentication 1',
    behaviour:
      'Endpoints 1 to 5 take apiKey as a field of the JSON body; a session instead of it is 401, 80000040.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.create',
    source: 'page 2, Sessions and accounts',
    behaviour: 'POST /api/keys {name} answers data {id, apiKey, name, prefix, createdAt}.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.form',
    source: 'page 2, Sessions and accounts',
    behaviour: 'apiKey is csk_ followed by 32 random bytes in base64url.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.shown-once',
    source: 'page 2, Sessions and accounts',
    behaviour: 'An apiKey is shown at its creation and never again; the database holds a hash of it only.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.list',
    source: 'page 2, Sessions and accounts',
    behaviour:
      'GET /api/keys answers data {data: [{id, name, prefix, createdAt, lastUsedAt, revokedAt}]} of the ' +
      'own account.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.revoke',
    source: 'page 2, Sessions and accounts',
    behaviour: 'DELETE /api/keys/:id answers data {id}; the key is refused from then on.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.roll',
    source: 'decision 0005',
    behaviour:
      'POST /api/keys/:id/roll {graceSeconds?} (0 to 604800, default 0) answers a new key of the same name as ' +
      'create does; the old one is refused once the grace is over.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.roll.once',
    source: 'decision 0005',
    behaviour: 'A key that was rolled or revoked before is not rolled again: 409, 80000003.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.own-wallet-vc',
    source: 'page 2, Sessions and accounts',
    behaviour:
      'With an account key, vc answers for the wallet of that account alone; another wallet is 404, ' +
      '80000053.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.own-mandates',
    source: 'page 2, Sessions and accounts',
    behaviour: 'With an account key, a report consumes mandates of that account only.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.own-party.report',
    source: 'page 2, Sessions and accounts',
    behaviour:
      'A report with an account key that names its wallet neither as payer nor as payee is 403, 80000004, ' +
      'and nothing is recorded.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.own-party.hold',
    source: 'page 2, Sessions and accounts',
    behaviour: 'A hold with an account key on a mandate of another account is refused, and nothing is held.',
    status: 'tested',
  },
  {
    id: 'dashboard.operator-key.create',
    source: 'page 2, Sessions and accounts',
    behaviour: 'countersign dashboard create-operator-key prints an operator key.',
    status: 'tested',
  },
  {
    id: 'dashboard.operator-key.any-payer',
    source: 'page 2, Sessions and accounts',
    behaviour: 'An operator key sees vc of every payer and reports for every payer.',
    status: 'tested',
  },
  {
    id: 'dashboard.operator-key.hold',
    source: 'page 2, Sessions and accounts',
    behaviour: 'An operator key holds on mandates of every payer.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
