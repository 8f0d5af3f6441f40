import { hash, verify } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import { keyOfDid, readBase58 } from './did-key.ts';
import type { Proof, ProofState } from './proof.ts';

/** Checks a Data Integrity proof of the suite `eddsa-jcs-2022` (W3C vc-di-eddsa) by a did:key. */
export function checkEddsaJcs(document: Readonly<Record<string, unknown>>, proof: Proof): ProofState {
  const { proofValue, ...options } = proof;
  const key = keyOfDid(String(proof['verificationMethod']));
  if (key === null) return 'unchecked';
  const signature = typeof proofValue === 'string' ? readBase58(proofValue) : null;
  if (signature?.length !== 64) return 'false';
  // The recommendation has the document's context in the proof; drafts before it added it when hashing.
  const withContext = { '@context': document['@context'], ...options };
  const isSigned = [options, withContext].some((config) => {
    const data = Buffer.concat(
      [config, document].map((part) => hash('sha256', canonicalText(part), 'buffer')),
    );
    return verify(null, data, key, signature);
  });
  return isSigned ? 'valid' : 'false';
}
