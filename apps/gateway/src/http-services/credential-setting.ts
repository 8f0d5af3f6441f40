import { fieldsNamed, parseTemplate } from '@countersign/protocol/vault/placeholder';
import { isNoCredentialHeader } from '@countersign/protocol/vault/request-headers';
import { z } from 'zod';

/** Id of the credential in the vault. */
export const credentialId = z.uuid();

/** Headers that hold a placeholder each: what is no secret needs no vault, and what is one has no place in the environment. */
export const credentialHeaders = z
  .record(
    z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/),
    z
      .string()
      .max(4096)
      .regex(/^[\t\x20-\x7e]*$/),
  )
  .refine((headers) => {
    const all = Object.entries(headers);
    return (
      all.length > 0 &&
      all.length <= 16 &&
      all.every(([name, value]) => !isNoCredentialHeader(name) && holdsOne(value))
    );
  });

function holdsOne(value: string): boolean {
  const template = parseTemplate(value);
  return template.ok && fieldsNamed(template.value).length > 0;
}
