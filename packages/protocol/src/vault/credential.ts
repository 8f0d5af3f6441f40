import { z } from 'zod';

const text = z.string().min(1).max(65_536);
const loose = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/** `plaintext_data` of each credential type. Unknown fields are refused (spec: vault.credential). */
export const plaintextData = {
  username_password: z.strictObject({ username: text, password: text }),
  api_key: z.strictObject({ key: text, secret: text.optional() }),
  oauth_token: z.strictObject({ refresh_token: text }),
  certificate: z.strictObject({ certificate: text, private_key: text.optional() }),
  ssh_key: z.strictObject({ ssh_key: text }),
  database_connection: z.strictObject({
    host: text,
    /** A number, or its digits, which are not looked at: no text of a credential is. */
    port: z.union([z.int().min(1).max(65_535), text]),
    database: text,
    username: text,
    password: text,
  }),
  identity_credential: z.strictObject({
    credential_json: loose,
    did: text,
    zk_proof: text.optional(),
    credential_type: text.optional(),
  }),
} as const;

export type CredentialType = keyof typeof plaintextData;
export const credentialTypes = Object.keys(plaintextData) as [CredentialType, ...CredentialType[]];
export const credentialType = z.enum(credentialTypes);

/**
 * Who makes the secrets of a type. What machines make nobody guesses; it is used at one address and shown at another, as a key of
 * an API is by its console, so sessions look for it on every page.
 */
const madeBy = {
  username_password: 'people',
  api_key: 'machines',
  oauth_token: 'machines',
  certificate: 'machines',
  ssh_key: 'machines',
  database_connection: 'people',
  identity_credential: 'people',
} as const satisfies Record<CredentialType, 'people' | 'machines'>;

export const madeByMachines: ReadonlySet<CredentialType> = new Set(
  credentialTypes.filter((type) => madeBy[type] === 'machines'),
);

/** HPKE `info` of sealed credentials, in both directions (RFC 9180; spec: vault.sealed). */
export const sealInfo = 'countersign-vault-v1';
