import { hash, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { canonicalText } from './chain.ts';
import { type Signer, signedBy } from './keys.ts';
import { auditRecord } from '@countersign/protocol/vault/audit-record';

const hex32 = z.string().regex(/^[0-9a-f]{64}$/);
const chainHex = (bytes: number) => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`));

/** Where a root of the log is on chain. Hashes of proofs are lower-case hex. */
const anchor = z.strictObject({
  chainId: z.int().min(1),
  contract: chainHex(20),
  logId: chainHex(32),
  size: z.int().min(1),
  root: chainHex(32),
  flags: z.int().min(0).max(255),
  transactionHash: chainHex(32),
  blockNumber: z.int().min(0),
  /** That the anchored tree is a prefix of the checkpoint's. */
  consistency: z.array(hex32),
});

/**
 * Records of a tenant with all that proves them, in one file: its RFC 8785 text, so that no byte can be another.
 * Where the log's key was changed since, the tenant's records signer_rotated belong into it.
 */
export const proofBundle = z.strictObject({
  format: z.literal('countersign-proof-bundle-v1'),
  records: z.array(z.strictObject({ record: auditRecord, inclusion: z.array(hex32) })),
  /** A C2SP signed note; what the inclusions lead to. */
  checkpoint: z.string(),
  /** Null as long as no root that contains the records is on chain. */
  anchor: anchor.nullable(),
  attestation: z.unknown(),
  /** By the log's key over everything else, base64. */
  signature: z.string(),
});
export type ProofBundle = z.infer<typeof proofBundle>;
export type Anchor = z.infer<typeof anchor>;

/** The text of the file. */
export function signBundle(bundle: Omit<ProofBundle, 'signature'>, signer: Signer): string {
  return canonicalText({ ...bundle, signature: signer.sign(digestOf(bundle)).toString('base64') });
}

export function isBundleSigned({ signature, ...bundle }: ProofBundle, key: KeyObject): boolean {
  return signedBy(key, digestOf(bundle), signature);
}

/** The bundle of a text that is exactly its RFC 8785 text, but for a last newline; null for anything else. */
export function readBundle(text: string): ProofBundle | null {
  try {
    const parsed = proofBundle.safeParse(JSON.parse(text));
    return parsed.success && canonicalText(parsed.data) === text.replace(/\n$/, '') ? parsed.data : null;
  } catch {
    return null;
  }
}

/** SHA-256 of the domain and the RFC 8785 text of the bundle without its signature; that is what is signed. */
const digestOf = (bundle: Omit<ProofBundle, 'signature'>): Buffer =>
  hash('sha256', `countersign-audit-bundle-v1${canonicalText(bundle)}`, 'buffer');
