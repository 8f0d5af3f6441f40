import type { Requirement } from '../requirement.ts';

/** Users, login, tokens, scopes and the errors of the vault. */
export const vaultTokenRequirements = [
  {
    id: 'vault.user.create',
    source: 'page 3, Users and tokens',
    behaviour:
      'countersign vault create-user NAME [--tenant T] [--admin] makes a user; the password comes from the ' +
      'prompt or stdin.',
    status: 'tested',
  },
  {
    id: 'vault.user.password-hash',
    source: 'page 3, Users and tokens',
    behaviour: 'Passwords are stored as Argon2id.',
    status: 'tested',
  },
  {
    id: 'vault.login.tokens',
    source: 'document 3, Endpoints A; page 3, Users and tokens',
    behaviour:
      'POST /api/v1/auth/login {username, password} answers {access_token, refresh_token, token_type: ' +
      'Bearer, expires_in}.',
    status: 'tested',
  },
  {
    id: 'vault.login.access-lifetime',
    source: 'page 3, Users and tokens',
    behaviour: 'An access token lives 15 minutes and has the scopes of the user.',
    status: 'tested',
  },
  {
    id: 'vault.login.refresh-lifetime',
    source: 'page 3, Users and tokens',
    behaviour: 'A refresh token lives 30 days.',
    status: 'tested',
  },
  {
    id: 'vault.login.wrong-password',
    source: 'document 3, Errors',
    behaviour: 'A wrong password and an unknown user get the same answer: 401 unauthorized.',
    status: 'tested',
  },
  {
    id: 'vault.login.rate-limit.user',
    source: 'issue 14, 6',
    behaviour:
      'After 5 failures within 15 minutes for one user name from one address login answers 429 rate_limited there ' +
      'with Retry-After, and elsewhere as before.',
    status: 'tested',
  },
  {
    id: 'vault.login.rate-limit.address',
    source: 'page 3, Users and tokens',
    behaviour:
      'After 50 failures within 15 minutes from one address login answers 429 rate_limited with Retry-After.',
    status: 'tested',
  },
  {
    id: 'vault.login.rate-limit.random',
    source: 'issue 14, 6',
    behaviour:
      'A password whose SHA-256 VAULT_RANDOM_PASSWORDS names logs in whatever failed before; npm start names its own.',
    status: 'tested',
  },
  {
    id: 'vault.refresh.rotates',
    source: 'page 3, Users and tokens',
    behaviour:
      'POST /api/v1/auth/refresh {refresh_token} answers new tokens, and the old refresh token is spent.',
    status: 'tested',
  },
  {
    id: 'vault.refresh.reuse',
    source: 'page 3, Users and tokens',
    behaviour:
      'Using a spent refresh token is 401 token_revoked and revokes the whole family, the newest too.',
    status: 'tested',
  },
  {
    id: 'vault.logout',
    source: 'document 3, Endpoints A',
    behaviour: 'POST /api/v1/auth/logout revokes the current token: its next use is 401 token_revoked.',
    status: 'tested',
  },
  {
    id: 'vault.token.form',
    source: 'document 3, API token; page 3, Users and tokens',
    behaviour: 'Every token is PASETO v4.local and starts with v4.local.',
    status: 'tested',
  },
  {
    id: 'vault.token.claims',
    source: 'page 3, Users and tokens',
    behaviour: 'A token carries jti, sub, tenant, scope, iat and exp.',
    status: 'tested',
  },
  {
    id: 'vault.token.vectors',
    source: 'page 3, Users and tokens',
    behaviour: 'All official PASETO v4.local vectors pass, those that must fail too.',
    status: 'tested',
  },
  {
    id: 'vault.token.generate',
    source: 'document 3, Endpoints A; page 3, Users and tokens',
    behaviour:
      'POST /api/v1/tokens {name, scopes, expires_in, credential_ids?, agent_did?} answers 201 {id, token, ' +
      'name, scopes, expires_at, created_at}.',
    status: 'tested',
  },
  {
    id: 'vault.token.generate.expires-in',
    source: 'page 3, Users and tokens',
    behaviour:
      'expires_in is from 60 to 31536000 seconds; otherwise 400 invalid_request. Absent, it is a day, or as long as ' +
      'the own token lives where that is less.',
    status: 'tested',
  },
  {
    id: 'vault.token.generate.parent-ends',
    source: 'issue 14, 7',
    behaviour:
      'A token that a generated token makes ends with it, at the latest: a longer expires_in is 400 naming the field ' +
      'and the most that is possible.',
    status: 'tested',
  },
  {
    id: 'vault.token.generate.own-scopes-only',
    source: 'page 3, Users and tokens',
    behaviour: 'A token with more than the scopes of the caller is 403 insufficient_scope.',
    status: 'tested',
  },
  {
    id: 'vault.token.generate.credential-ids',
    source: 'page 3, Users and tokens',
    behaviour: 'A token with credential_ids reaches those credentials only.',
    status: 'tested',
  },
  {
    id: 'vault.token.shown-once',
    source: 'document 3, API token; page 3, Users and tokens',
    behaviour: 'A token is shown once at generation; GET /api/v1/tokens lists tokens without it.',
    status: 'tested',
  },
  {
    id: 'vault.token.verify.valid',
    source: 'document 3, Endpoints A; page 3, Users and tokens',
    behaviour:
      'POST /api/v1/tokens/verify {token} of a good token answers {valid: true, id, scopes, expires_at}.',
    status: 'tested',
  },
  {
    id: 'vault.token.verify.invalid',
    source: 'document 3, Endpoints A; page 3, Users and tokens',
    behaviour:
      'verify of a bad token answers {valid: false, reason} with reason malformed, expired or revoked.',
    status: 'tested',
  },
  {
    id: 'vault.token.revoke',
    source: 'document 3, Endpoints A; page 3, Users and tokens',
    behaviour:
      'After POST /api/v1/tokens/:id/revoke the next use of the token is 401 token_revoked, on every ' +
      'process.',
    status: 'tested',
  },
  {
    id: 'vault.token.generate.own-tokens',
    source: 'issue 14, 7',
    behaviour:
      'A generated token without admin lists and revokes itself and the tokens that were made with it, no others of ' +
      'its user.',
    status: 'tested',
  },
  {
    id: 'vault.token.revoke.descendants',
    source: 'issue 14, 7',
    behaviour:
      'Revoking a token revokes all that were made with it, at any remove, those that are just being made too.',
    status: 'tested',
  },
  {
    id: 'vault.scope.credential-read',
    source: 'document 3, API token; document 3, Endpoints A',
    behaviour:
      'credential:read lists and gets credential metadata, not plaintext; without it 403 ' +
      'insufficient_scope, and with it alone decrypt is 403.',
    status: 'tested',
  },
  {
    id: 'vault.scope.credential-use',
    source: 'issue 14, 7',
    behaviour:
      'credential:use opens and drives browser sessions and includes credential:read; with it alone decrypt and requests are 403.',
    status: 'tested',
  },
  {
    id: 'vault.scope.credential-send',
    source: 'decision 0041',
    behaviour:
      'credential:send opens POST /api/v1/credentials/:id/requests and nothing else; no other scope but admin includes it, and a generated token without admin gives it to none.',
    status: 'tested',
  },
  {
    id: 'vault.scope.credential-write',
    source: 'document 3, API token; document 3, Endpoints A',
    behaviour: 'credential:write creates and deletes credentials; without it 403 insufficient_scope.',
    status: 'tested',
  },
  {
    id: 'vault.scope.credential-decrypt',
    source: 'document 3, API token; document 3, Endpoints A; page 3, Users and tokens',
    behaviour:
      'credential:decrypt decrypts and includes credential:use and credential:read, but creates and deletes nothing.',
    status: 'tested',
  },
  {
    id: 'vault.scope.audit-read',
    source: 'document 3, API token; document 3, Endpoints A',
    behaviour: 'audit:read views and verifies audit logs; without it 403 insufficient_scope.',
    status: 'tested',
  },
  {
    id: 'vault.scope.admin',
    source: 'document 3, API token; page 3, Users and tokens',
    behaviour: 'admin implies every scope.',
    status: 'tested',
  },
  {
    id: 'vault.tokens.revoked-sessions',
    source: 'issue 14',
    behaviour:
      'Whoever revokes a generated token closes the browser sessions that it, and what was generated with it, had opened.',
    status: 'tested',
  },
  {
    id: 'vault.error.shape',
    source: 'document 3, Errors',
    behaviour: 'Every error body of the vault is {error: {code, message}}.',
    status: 'tested',
  },
  {
    id: 'vault.error.invalid-request',
    source: 'document 3, Errors',
    behaviour: 'Invalid or missing parameters are 400 invalid_request.',
    status: 'tested',
  },
  {
    id: 'vault.error.unauthorized',
    source: 'document 3, Errors',
    behaviour: 'A missing or malformed token is 401 unauthorized.',
    status: 'tested',
  },
  {
    id: 'vault.error.token-expired',
    source: 'document 3, Errors',
    behaviour: 'An expired token is 401 token_expired.',
    status: 'tested',
  },
  {
    id: 'vault.error.token-revoked',
    source: 'document 3, Errors',
    behaviour: 'A revoked token is 401 token_revoked.',
    status: 'tested',
  },
  {
    id: 'vault.error.insufficient-scope',
    source: 'document 3, Errors',
    behaviour: 'A token without the required scope is 403 insufficient_scope.',
    status: 'tested',
  },
  {
    id: 'vault.error.not-found',
    source: 'document 3, Errors',
    behaviour: 'An unknown resource is 404 not_found.',
    status: 'tested',
  },
  {
    id: 'vault.error.transport',
    source: 'issue 16, line 8',
    behaviour: 'A wrong method is 405 method_not_allowed, a body that is too large 413 payload_too_large.',
    status: 'tested',
  },
  {
    id: 'vault.error.credential-expired',
    source: 'document 3, Errors',
    behaviour: 'An expired credential is 422 credential_expired.',
    status: 'tested',
  },
  {
    id: 'vault.error.internal-error',
    source: 'document 3, Errors',
    behaviour: 'A server error is 500 internal_error, without internals in message.',
    status: 'tested',
  },
  {
    id: 'vault.names.legible',
    source: 'issue 16, 14',
    behaviour:
      'A name that is stored (users, services, labels, tokens) holds no invisible character and none that turns the reading ' +
      'order; the refusal names it.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
