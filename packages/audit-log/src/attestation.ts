import { hash } from 'node:crypto';
import type { Attestation } from '@countersign/protocol/vault/attestation';
import { canonicalText } from './chain.ts';

/** Returns the report data of a quote: SHA-512, in hex, of the RFC 8785 text of the keys and the nonce. */
export const reportDataOf = ({
  auditPublicKey,
  nonce,
  sealPublicKey,
}: Pick<Attestation, 'auditPublicKey' | 'nonce' | 'sealPublicKey'>): string =>
  hash('sha512', canonicalText({ auditPublicKey, nonce, sealPublicKey }), 'hex');
