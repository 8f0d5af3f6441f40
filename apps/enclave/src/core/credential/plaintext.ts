import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { type CredentialType, plaintextData } from '@countersign/protocol/vault/credential';
import type { z } from 'zod';
import { outlineOf } from './json-outline.ts';

/** Most bytes of one credential: encrypted and in base64 it still fits into a frame. */
export const maxPlaintextBytes = 524_288;

/** Returns why the JSON is not a valid plaintext of a credential of this type; null if it is valid. */
export function plaintextProblem(type: CredentialType, bytes: Uint8Array): EnclaveRefusal | null {
  if (bytes.length > maxPlaintextBytes) return { code: 'INVALID_PLAINTEXT' };
  const outline = outlineOf(bytes);
  if (outline === null) return { code: 'INVALID_PLAINTEXT' };
  const read = plaintextData[type].safeParse(outline);
  if (read.success) return null;
  const field = fieldOf(read.error.issues[0]);
  return field === null ? { code: 'INVALID_PLAINTEXT' } : { code: 'INVALID_PLAINTEXT', field };
}

/** The name of a field, but not whatever a client put where names belong. */
function fieldOf(issue: z.core.$ZodIssue | undefined): string | null {
  const name = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0];
  return typeof name === 'string' && /^[a-z_]{1,40}$/.test(name) ? name : null;
}
