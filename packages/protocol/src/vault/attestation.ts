import { z } from 'zod';
import { tee } from './audit-record.ts';

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
