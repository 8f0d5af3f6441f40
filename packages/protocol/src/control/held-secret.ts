import { type CredentialType, credentialType, plaintextData } from '../vault/credential.ts';

/** What is sealed of a credential of the control plane. */
export type HeldSecret = { readonly type: CredentialType; readonly data: object };

/** Where `type` is one of the vault's and `value` the JSON text of what such a credential holds, that; else a key. */
export function heldSecret(type: string, value: string): HeldSecret {
  const known = credentialType.safeParse(type);
  const read = known.success ? plaintextData[known.data].safeParse(parsed(value)) : null;
  return known.success && read?.success === true
    ? { type: known.data, data: read.data }
    : { type: 'api_key', data: { key: value } };
}

/** The types as which something sealed may be kept that nobody but the enclave can read, in the order in which they are tried. */
export function typesOfSealed(type: string): readonly CredentialType[] {
  const known = credentialType.safeParse(type);
  return known.success && known.data !== 'api_key' ? [known.data, 'api_key'] : ['api_key'];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
