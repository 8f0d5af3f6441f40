import type { Requirement } from '../requirement.ts';

const source = 'issue 18, 3; decision 0037';

/** People whom a dashboard signed in, at the vault. */
export const vaultPeopleRequirements = [
  {
    id: 'vault.person.exchange',
    source,
    behaviour:
      'POST /api/v1/auth/person {assertion} answers {access_token, token_type, expires_in: 900, username, scopes} and no refresh token. It is a login of a ' +
      'person: its logout ends every token of that session of the dashboard. Such a user has no password, nor has it for an earlier version.',
    status: 'tested',
  },
  {
    id: 'vault.person.assertion',
    source,
    behaviour:
      'An assertion is a JWT by Ed25519 (alg EdDSA, typ countersign-person+jwt, aud countersign-vault, jti, sub, account, name, roles, sid, iat, exp) of at most a minute. It ' +
      'counts once, on whichever process, by the key of SIGN_IN_PUBLIC_KEY alone: otherwise 401. An account without a tenant is 403.',
    status: 'tested',
  },
  {
    id: 'vault.person.clock-skew',
    source,
    behaviour: 'The clocks of dashboard and vault may differ by 60 seconds either way.',
    status: 'tested',
  },
  {
    id: 'vault.person.roles',
    source,
    behaviour:
      'Scopes come from the roles, which the vault maps itself: owner admin; admin and auditor credential:read and audit:read; others none, which is 403.',
    status: 'tested',
  },
  {
    id: 'vault.person.tenant',
    source,
    behaviour: 'A person of one account sees nothing of another account’s tenant.',
    status: 'tested',
  },
  {
    id: 'vault.person.tokens',
    source,
    behaviour:
      'A person has at most 200 generated tokens that are valid, with what those generated: more is 429, rate_limited, until some are revoked or expire. Users of the vault itself have no such limit.',
    status: 'tested',
  },
  {
    id: 'vault.person.end',
    source,
    behaviour:
      'POST /api/v1/auth/person/end {assertion} revokes every login of the person and the generated tokens, with what those made, that the roles in it do not ' +
      'allow; what was said of the person until then (iat, to the millisecond) counts no longer, also of one who never came or whose account is no longer linked. What is said later counts.',
    status: 'tested',
  },
  {
    id: 'vault.person.end-forgotten',
    source,
    behaviour:
      'That somebody ended is forgotten a day later; what was said before then has expired long ago.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
