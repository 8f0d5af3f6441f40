import { hash, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { anchor, hex32 } from './anchored.ts';
import { canonicalText } from './chain.ts';
import { hasOneReading } from './one-reading.ts';
import { signatureText, type Signer, signedBy } from './keys.ts';
import { auditRecord } from '@countersign/protocol/vault/audit-record';

/**
 * Records of a tenant with all that proves them, in one file. Its RFC 8785 text is signed, so that no value can be another.
 * Where the log's key was changed since, the tenant's records signer_rotated belong into it.
 */
export const proofBundle = z.strictObject({
  format: z.literal('countersign-proof-bundle-v1'),
  records: z.array(z.strictObject({ record: auditRecord, inclusion: z.array(hex32) })).min(1),
  /** A C2SP signed note; what the inclusions lead to. */
  checkpoint: z.string(),
  /** Null as long as no root that contains the records is on chain. */
  anchor: anchor.nullable(),
  attestation: z.custom<unknown>((report) => report !== undefined),
  /** The log key's signature over all other members, base64. */
  signature: signatureText,
});
export type ProofBundle = z.infer<typeof proofBundle>;

/** The text of the file. */
export const signBundle = (bundle: Omit<ProofBundle, 'signature'>, signer: Signer): string =>
  signText(canonicalText(bundle), signer);

/** A record as it stands in the log, and its path in hex. */
type BundledText = { readonly text: string; readonly inclusion: readonly string[] };

/** The same of records whose RFC 8785 texts are there already: making them anew takes seconds for a thousand. */
export function signBundleOf(
  records: readonly BundledText[],
  about: Omit<ProofBundle, 'signature' | 'records'>,
  signer: Signer,
): string {
  const texts = records.map(
    ({ text, inclusion }) => `{"inclusion":${JSON.stringify(inclusion)},"record":${text}}`,
  );
  // No member stands after them in the order of RFC 8785.
  const empty = canonicalText({ ...about, records: [] });
  return signText(`${empty.slice(0, -']}'.length)}${texts.join(',')}]}`, signer);
}

/** Nor does any stand after the signature. */
const signText = (text: string, signer: Signer): string =>
  `${text.slice(0, -1)},"signature":"${signer.sign(digestOfText(text)).toString('base64')}"}`;

export function isBundleSigned({ signature, ...bundle }: ProofBundle, key: KeyObject): boolean {
  return signedBy(key, digestOf(bundle), signature);
}

/** The bundle of a text, which a JSON library may have written anew; null for anything else. */
export function readBundle(text: string): ProofBundle | null {
  try {
    const parsed = proofBundle.safeParse(JSON.parse(text));
    return parsed.success && hasOneReading(text) ? parsed.data : null;
  } catch {
    return null;
  }
}

/** SHA-256 of the domain and the RFC 8785 text of the bundle without its signature; that is what is signed. */
const digestOf = (bundle: Omit<ProofBundle, 'signature'>): Buffer => digestOfText(canonicalText(bundle));

const digestOfText = (text: string): Buffer => hash('sha256', `countersign-audit-bundle-v1${text}`, 'buffer');
