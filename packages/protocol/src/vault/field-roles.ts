import type { CredentialType, plaintextData } from './credential.ts';

/** `account` names somebody or some place and is no secret, `secret` is one, and `machine` one that nobody types into a page. */
export type FieldRole = 'account' | 'secret' | 'machine';

/** The role of every field: a new type, or a new field of one, does not compile without it. */
export const fieldRoles = {
  username_password: { username: 'account', password: 'secret' },
  api_key: { key: 'secret', secret: 'secret' },
  oauth_token: { refresh_token: 'machine' },
  certificate: { certificate: 'account', private_key: 'machine' },
  ssh_key: { ssh_key: 'machine' },
  database_connection: {
    host: 'account',
    port: 'account',
    database: 'account',
    username: 'account',
    password: 'secret',
  },
  identity_credential: {
    credential_json: 'secret',
    did: 'account',
    zk_proof: 'secret',
    credential_type: 'account',
  },
} as const satisfies {
  [Type in CredentialType]: Record<keyof (typeof plaintextData)[Type]['shape'], FieldRole>;
};

/** Names of the fields that have a role. A name has the same role in every type. */
export const fieldsWithRole = (role: FieldRole): ReadonlySet<string> =>
  new Set(
    Object.values(fieldRoles).flatMap((fields) =>
      Object.entries(fields).flatMap(([name, its]) => (its === role ? [name] : [])),
    ),
  );

/** Fields that name an account and are no secret by themselves. */
export const namesAccount = fieldsWithRole('account');
