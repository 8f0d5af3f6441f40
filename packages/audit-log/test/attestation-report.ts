import { reportDataOf } from '../src/attestation.ts';
import type { Attestation } from '@countersign/protocol/vault/attestation';
import { publicKeyText, type Signer } from '../src/keys.ts';

/** The report that binds a log's key, as `GET /api/v1/attestation/report` answers it. */
export function reportFor(signer: Signer, about: Partial<Attestation> = {}): Attestation {
  const auditPublicKey = publicKeyText(signer.publicKey);
  const sealPublicKey = Buffer.alloc(65, 4).toString('base64');
  return {
    provider: 'simulated',
    hardware: false,
    quote: Buffer.from('simulated').toString('base64'),
    reportData: reportDataOf({ auditPublicKey, nonce: '', sealPublicKey }),
    measurements: { enclave: 'a'.repeat(64) },
    auditPublicKey,
    sealPublicKey,
    nonce: '',
    createdAt: '2026-11-21T10:00:00.000Z',
    ...about,
  };
}
