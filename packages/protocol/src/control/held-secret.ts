import { type CredentialType, credentialType, plaintextData } from '../vault/credential.ts';

/** The sealed part of a credential of the control plane. */
export type HeldSecret = { readonly type: CredentialType; readonly data: object };

/**
 * Where `type` is one of the vault's and `value` the JSON text of what such a credential holds, that; else a key. A certificate may be
 * its PEM alone.
 */
export function heldSecret(type: string, value: string): HeldSecret {
  const known = credentialType.safeParse(type);
  const read = known.success ? plaintextData[known.data].safeParse(parsed(value)) : null;
  if (known.success && read?.success === true) return { type: known.data, data: read.data };
  return known.data === 'certificate'
    ? { type: 'certificate', data: certificateIn(value) }
    : { type: 'api_key', data: { key: value } };
}

/** Returns whether it is the JSON text of what a credential of its type holds. */
export function isOfItsForm(type: string, value: string): boolean {
  const known = credentialType.safeParse(type);
  return known.success && plaintextData[known.data].safeParse(parsed(value)).success;
}

/** PEM as tools write it: what a certificate says is no secret, so its key stands apart. */
function certificateIn(pem: string): object {
  const key = privateKeyIn(pem);
  return key === null ? { certificate: pem } : { certificate: pem.replace(key, ''), private_key: key };
}

/** The first private key, up to the end of its last line; null where there is none that ends. Reads the text once. */
function privateKeyIn(pem: string): string | null {
  const begin = /-----BEGIN ((?:[A-Z]{1,16} ){0,4}PRIVATE KEY)-----/.exec(pem);
  if (begin === null) return null;
  const last = `-----END ${begin[1]}-----`;
  const found = pem.indexOf(last, begin.index);
  if (found < 0) return null;
  const end = found + last.length;
  return pem.slice(begin.index, pem[end] === '\n' ? end + 1 : end);
}

/**
 * The types as which something sealed may be kept that nobody but the enclave can read, in the order in which they are tried. A
 * certificate is read when it is kept, so that its key stands apart: it is never kept as a key that nobody reads.
 */
export function typesOfSealed(type: string): readonly CredentialType[] {
  const known = credentialType.safeParse(type);
  if (known.data === 'certificate') return ['certificate'];
  return known.success && known.data !== 'api_key' ? [known.data, 'api_key'] : ['api_key'];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
