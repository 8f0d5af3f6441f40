import { hash } from 'node:crypto';
import type { Attestation } from '@countersign/protocol/vault/attestation';
import { canonicalText } from './chain.ts';

/** What a quote is made over: SHA-512 of the RFC 8785 text of the keys and the nonce, hex. */
export const reportDataOf = ({
  auditPublicKey,
  nonce,
  sealPublicKey,
}: Pick<Attestation, 'auditPublicKey' | 'nonce' | 'sealPublicKey'>): string =>
  hash('sha512', canonicalText({ auditPublicKey, nonce, sealPublicKey }), 'hex');
