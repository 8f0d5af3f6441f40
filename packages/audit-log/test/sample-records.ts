import { generateKeyPairSync } from 'node:crypto';
import { firstPrevChainHash, type SealedRecord, seal } from '../src/chain.ts';
import { localSigner, type Signer } from '../src/keys.ts';
import type { RecordDraft } from '@countersign/protocol/vault/audit-record';

export const newSigner = (): Signer => localSigner(generateKeyPairSync('ed25519').privateKey);

/** A draft as the vault would write it; `about` replaces what a test cares for. */
export const draft = (about: Partial<RecordDraft> = {}): RecordDraft => ({
  tenantId: 'tnt_a',
  eventType: 'credential_access',
  sessionId: 'ses_1',
  credentialId: '0f8fad5b-d9cb-469f-a165-70867728950e',
  agentDid: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
  actor: 'user:usr_1',
  detail: { reason: 'nightly report', fields: ['password'] },
  ...about,
});

export const simulated = { kind: 'simulated', trust: 'simulated' } as const;

/** The chain of one tenant whose records are every second leaf of the tree. */
export function chainOf(count: number, signer: Signer): SealedRecord[] {
  const chain: SealedRecord[] = [];
  for (let seq = 1; seq <= count; seq += 1) {
    const body = {
      ...draft({ detail: { n: seq } }),
      auditId: `aud_01234567_${seq * 2}`,
      seq,
      leafIndex: seq * 2,
      at: new Date(1_800_000_000_000 + seq).toISOString(),
      tee: simulated,
      prevChainHash: chain.at(-1)?.record.chainHash ?? firstPrevChainHash,
    };
    chain.push(seal(body, signer));
  }
  return chain;
}
