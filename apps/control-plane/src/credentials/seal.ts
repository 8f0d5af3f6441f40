import { heldSecret, isOfItsForm, typesOfSealed } from '@countersign/protocol/control/held-secret';
import type { NewControlValue } from '@countersign/protocol/control/credential-routes';
import type { CommandReply, EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok } from '@countersign/protocol/result';
import { type CredentialType, plaintextData } from '@countersign/protocol/vault/credential';
import type { Enclave } from '../enclave.ts';
import { refusal } from '../refusal.ts';
import { bindingOf } from './store.ts';

export const oneValue = refusal(
  'invalid_request',
  'value: is required, or sealed_value instead, but not both',
);

export type Secret = {
  /** The types to try, in this order. */
  readonly types: readonly CredentialType[];
  readonly sealed: boolean;
  readonly bytes: Buffer;
};

/** Returns the bytes to seal; null if a body has both forms or neither. The caller wipes them. */
export function secretOf(type: string, { value, sealed_value }: NewControlValue): Secret | null {
  if ((value === undefined) === (sealed_value === undefined)) return null;
  if (value === undefined)
    return { types: typesOfSealed(type), sealed: true, bytes: Buffer.from(sealed_value ?? '', 'base64') };
  const held = heldSecret(type, value);
  return { types: [held.type], sealed: false, bytes: Buffer.from(JSON.stringify(held.data)) };
}

/** Any type that the vault does not know: its text is a key as it is. */
const typeWithoutForm = 'key';

/**
 * Returns the replacement of a value, to be sealed as the same type. Null if a body has both forms or
 * neither; `types` is empty if it can never be sealed.
 */
export function nextSecretOf(
  { kind, keptAs }: { readonly kind: string; readonly keptAs: CredentialType },
  body: NewControlValue,
): Secret | null {
  // Earlier builds kept certificates as keys: only the JSON of a certificate is of another form than those.
  const isKey = keptAs === 'api_key' && !isOfItsForm(kind, body.value ?? '');
  const secret = secretOf(isKey ? typeWithoutForm : kind, body);
  return secret && { ...secret, types: secret.types.filter((type) => type === keptAs) };
}

/** Seals it as the first of its types that it fits; else what the enclave said first that names a field, or last. */
export async function sealAs(
  enclave: Pick<Enclave, 'call'>,
  about: Parameters<typeof bindingOf>[0],
  secret: Secret,
  version: number,
) {
  let refused: EnclaveRefusal | null = null;
  for (const type of secret.types) {
    const binding = bindingOf(about, type, version);
    const sealed = await enclave.call('seal', { binding, sealed: secret.sealed }, secret.bytes);
    if (sealed.ok && isReadable(type, sealed.value.reply)) return ok({ binding, ...sealed.value.reply });
    const error: EnclaveRefusal = sealed.ok
      ? { code: 'INVALID_PLAINTEXT', field: 'certificate' }
      : sealed.error;
    if (error.code !== 'INVALID_PLAINTEXT') return fail(error);
    if (refused?.field === undefined) refused = error;
  }
  return fail<EnclaveRefusal>(refused ?? { code: 'INVALID_PLAINTEXT' });
}

/** A certificate is kept here only where somebody can read until when it is good; the vault keeps what it is given. */
const isReadable = (type: CredentialType, { certificateExpiresAt }: CommandReply<'seal'>): boolean =>
  type !== 'certificate' || certificateExpiresAt !== null;

export function whyNotSealed({ code, field }: EnclaveRefusal) {
  if (code !== 'INVALID_PLAINTEXT' && code !== 'CANNOT_UNSEAL')
    throw new Error(`the enclave refused seal: ${code}`);
  if (field === 'certificate')
    return refusal(
      'invalid_request',
      'value: certificate: must be a certificate in PEM, with its key separate',
    );
  return refusal(
    'invalid_request',
    'sealed_value: must be {"key": value}, or the fields of its type, sealed to sealPublicKey of the attestation report (RFC 9180)',
  );
}

/** A connector that was made for what it was could not be opened by anything else. */
export const keptAsOther = (type: CredentialType) =>
  refusal(
    'invalid_request',
    `value: this credential is stored as ${type}, so a new value must be ${formOf(type)}; for anything else, create another credential`,
  );

const formOf = (type: CredentialType): string =>
  type === 'api_key'
    ? 'a key: a string that is not the JSON of its type'
    : `JSON with ${Object.keys(plaintextData[type].shape).join(', ')}`;

/** Returns the public form of a fingerprint; the enclave's form also names the keyed hash. */
export const shownFingerprint = (keyed: string): string => keyed.replace(/^hmac-/, '');

/** Returns the public facts about a value that the enclave has sealed. */
export const shownAbout = ({ fingerprint, certificateExpiresAt: end }: CommandReply<'seal'>) => ({
  fingerprint: shownFingerprint(fingerprint),
  certificateExpiresAt: end === null ? null : new Date(end),
});
