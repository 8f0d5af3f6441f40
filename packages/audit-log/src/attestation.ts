import { hash } from 'node:crypto';
import { z } from 'zod';
import { canonicalText } from './chain.ts';
import { tee } from './record.ts';

/** The report of `GET /api/v1/attestation/report`. Keys are raw bytes in base64. */
export const attestation = z.strictObject({
  provider: tee.shape.kind,
  hardware: z.boolean(),
  /** Base64; by the hardware's vendor, over `reportData`. */
  quote: z.string(),
  /** Lower-case hex, 64 bytes. */
  reportData: z.string().regex(/^[0-9a-f]{128}$/),
  measurements: z.unknown(),
  auditPublicKey: z.string(),
  sealPublicKey: z.string(),
  nonce: z.string(),
  createdAt: z.string(),
});
export type Attestation = z.infer<typeof attestation>;

/** What a quote is made over: SHA-512 of the RFC 8785 text of the keys and the nonce, hex. */
export const reportDataOf = ({
  auditPublicKey,
  nonce,
  sealPublicKey,
}: Pick<Attestation, 'auditPublicKey' | 'nonce' | 'sealPublicKey'>): string =>
  hash('sha512', canonicalText({ auditPublicKey, nonce, sealPublicKey }), 'hex');
