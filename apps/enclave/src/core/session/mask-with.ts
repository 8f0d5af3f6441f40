import { madeByMachines, plaintextData } from '@countersign/protocol/vault/credential';
import { namesAccount } from '@countersign/protocol/vault/field-roles';
import { claimsIn } from '../credential/claims.ts';
import { open, type Roots } from '../credential/envelope.ts';
import { fieldBytes } from '../credential/field.ts';
import type { MaskWith } from './about.ts';
import type { SessionWorker } from './worker/session-worker.ts';

/** Claims and their spellings, over all identity credentials; of further credentials only the whole is looked for. */
const maxClaims = 512;

/**
 * Opens credentials for the masker alone, whose openings the log has told of: a page may show one that this session does
 * not use. What only names an account is not masked for these. One that does not open is given to nobody either. Gives how many
 * claims are looked for, with those of before.
 */
export function maskWith(worker: SessionWorker, roots: Roots, credentials: MaskWith, before = 0): number {
  let claims = before;
  for (const { binding, envelope, allowedUrls } of credentials) {
    const plaintext = open(roots, binding, envelope);
    if (plaintext === null) continue;
    for (const field of Object.keys(plaintextData[binding.type].shape)) {
      const bytes = namesAccount.has(field) ? null : fieldBytes(plaintext, field);
      if (bytes === null) continue;
      if (madeByMachines.has(binding.type)) worker.add(bytes, 'made');
      else worker.add(bytes, 'secret', allowedUrls);
      bytes.fill(0);
    }
    if (binding.type === 'identity_credential' && claims < maxClaims)
      claims += addClaims(worker, plaintext, allowedUrls);
    plaintext.fill(0);
  }
  return claims;
}

/** Gives how many there were. */
export function addClaims(worker: SessionWorker, plaintext: Buffer, where: readonly string[] | null): number {
  const claims = claimsIn(plaintext);
  for (const claim of claims) {
    worker.add(claim, 'secret', where);
    claim.fill(0);
  }
  return claims.length;
}
