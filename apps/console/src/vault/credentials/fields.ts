import { fail, ok, type Result } from '@countersign/protocol/result';
import type { CredentialType } from '@countersign/protocol/vault/credential';

export type CredentialField = {
  /** The name in `plaintext_data`. */
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'secret' | 'lines' | 'pem' | 'port' | 'w3c-credential';
  readonly optional?: true;
  readonly hint?: string;
};

/** The label of each type. */
export const typeNames: Readonly<Record<CredentialType, string>> = {
  username_password: 'User name and password',
  api_key: 'API key',
  oauth_token: 'OAuth token',
  certificate: 'Certificate',
  ssh_key: 'SSH key',
  database_connection: 'Database connection',
  identity_credential: 'Identity credential',
};

/** The secret of each credential type, field by field (spec: vault.credential). */
export const credentialFields: Readonly<Record<CredentialType, readonly CredentialField[]>> = {
  username_password: [
    { name: 'username', label: 'User name', kind: 'text' },
    { name: 'password', label: 'Password', kind: 'secret' },
  ],
  api_key: [
    { name: 'key', label: 'Key', kind: 'secret' },
    { name: 'secret', label: 'Secret', kind: 'secret', optional: true, hint: 'If the service issued one.' },
  ],
  oauth_token: [{ name: 'refresh_token', label: 'Refresh token', kind: 'secret' }],
  certificate: [
    {
      name: 'certificate',
      label: 'Certificate',
      kind: 'pem',
      hint: 'PEM, including the chain if there is one.',
    },
    { name: 'private_key', label: 'Private key', kind: 'pem', optional: true, hint: 'Optional.' },
  ],
  ssh_key: [{ name: 'ssh_key', label: 'Private key', kind: 'lines' }],
  database_connection: [
    { name: 'host', label: 'Host', kind: 'text' },
    { name: 'port', label: 'Port', kind: 'port' },
    { name: 'database', label: 'Database', kind: 'text' },
    { name: 'username', label: 'User name', kind: 'text' },
    { name: 'password', label: 'Password', kind: 'secret' },
  ],
  identity_credential: [
    {
      name: 'credential_json',
      label: 'Verifiable credential',
      kind: 'w3c-credential',
      hint: 'The whole W3C credential as JSON.',
    },
    { name: 'did', label: 'Holder’s DID', kind: 'text' },
    {
      name: 'zk_proof',
      label: 'Zero-knowledge proof',
      kind: 'lines',
      optional: true,
      hint: 'Optional.',
    },
    {
      name: 'credential_type',
      label: 'Type label',
      kind: 'text',
      optional: true,
      hint: 'Optional.',
    },
  ],
};

export type Faults = Readonly<Record<string, string>>;

/** `plaintext_data` from what was typed, or what is wrong beside each field. Secrets are taken to the letter. */
export function readSecret(
  type: CredentialType,
  typed: Readonly<Record<string, string>>,
): Result<Readonly<Record<string, unknown>>, Faults> {
  const values: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const field of credentialFields[type]) {
    const text = typed[field.name] ?? '';
    if (text.trim() === '') {
      if (field.optional !== true) faults[field.name] = 'This field is required.';
      continue;
    }
    const read = readers[field.kind](text);
    if (read.ok) values[field.name] = read.value;
    else faults[field.name] = read.error;
  }
  return Object.keys(faults).length === 0 ? ok(values) : fail(faults);
}

type Reader = (text: string) => Result<unknown, string>;
const asTyped: Reader = (text) => ok(text);

const readers: Readonly<Record<CredentialField['kind'], Reader>> = {
  text: (text) => ok(text.trim()),
  secret: asTyped,
  lines: asTyped,
  pem: (text) =>
    text.trimStart().startsWith('-----BEGIN ')
      ? ok(text)
      : fail('Enter PEM text that begins with -----BEGIN …-----.'),
  port: (text) => {
    const port = Number(text);
    return Number.isInteger(port) && port >= 1 && port <= 65_535
      ? ok(port)
      : fail('Enter a number from 1 to 65535.');
  },
  'w3c-credential': readCredential,
};

const members = ['@context', 'type', 'issuer', 'issuanceDate', 'credentialSubject', 'proof'];

function readCredential(text: string): Result<unknown, string> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return fail('Enter a JSON object.');
    const missing = members.filter((member) => !(member in value));
    return missing.length === 0 ? ok(value) : fail(`The JSON is missing ${missing.join(', ')}.`);
  } catch {
    return fail('This is not valid JSON.');
  }
}
