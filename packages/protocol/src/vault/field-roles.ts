import type { CredentialType, plaintextData } from './credential.ts';

/**
 * `account` names somebody and `plain` something else, and neither is a secret; `secret` is one, and `machine` one that nobody types
 * into a page.
 */
export type FieldRole = 'account' | 'plain' | 'secret' | 'machine';

/** The role of every field: a new type, or a new field of one, does not compile without it. */
export const fieldRoles = {
  username_password: { username: 'account', password: 'secret' },
  api_key: { key: 'secret', secret: 'secret' },
  oauth_token: { refresh_token: 'machine' },
  certificate: { certificate: 'plain', private_key: 'machine' },
  ssh_key: { ssh_key: 'machine' },
  database_connection: {
    host: 'plain',
    port: 'plain',
    database: 'plain',
    username: 'account',
    password: 'secret',
  },
  identity_credential: {
    credential_json: 'secret',
    did: 'account',
    zk_proof: 'secret',
    credential_type: 'plain',
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

/** Fields that name somebody who logs in. */
export const namesSomebody = fieldsWithRole('account');

/** Fields that name an account, or where it is, and are no secret by themselves. */
export const namesAccount: ReadonlySet<string> = new Set([...namesSomebody, ...fieldsWithRole('plain')]);
