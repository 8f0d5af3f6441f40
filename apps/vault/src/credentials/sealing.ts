import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import type { CredentialType } from '@countersign/protocol/vault/credential';
import { EnclaveFailed } from '../enclave.ts';
import type { NewValue } from '@countersign/protocol/vault/credential-routes';
import { refusal } from '../refusal.ts';

export const onePlaintext = refusal(
  'invalid_request',
  'plaintext_data: is required, or sealed_data instead, but not both',
);

/** Returns the bytes to seal; null if a body has both forms or neither. The caller wipes them. */
export function plaintextOf({ plaintext_data, sealed_data }: NewValue) {
  if ((plaintext_data === undefined) === (sealed_data === undefined)) return null;
  return sealed_data === undefined
    ? { sealed: false, bytes: Buffer.from(JSON.stringify(plaintext_data)) }
    : { sealed: true, bytes: Buffer.from(sealed_data, 'base64') };
}

/** Why the enclave did not take a plaintext, with the name of the field at most. */
export function whyNotSealed(why: EnclaveRefusal, sealed: boolean, type: CredentialType) {
  const where = sealed ? 'sealed_data' : 'plaintext_data';
  if (why.code === 'INVALID_PLAINTEXT')
    return refusal('invalid_request', wrongPlaintext(where, why.field, type));
  if (why.code === 'CANNOT_UNSEAL')
    return refusal(
      'invalid_request',
      'sealed_data: must be sealed to sealPublicKey of the attestation report (RFC 9180)',
    );
  throw new EnclaveFailed('seal', why);
}

const wrongPlaintext = (where: string, field: string | undefined, type: CredentialType): string =>
  field === undefined
    ? `${where}: must be an object with the fields of ${type}`
    : `${where}.${field}: is missing, unknown or malformed in ${type}`;
