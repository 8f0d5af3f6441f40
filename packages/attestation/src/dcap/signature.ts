import { createPublicKey, hash, type KeyObject, verify, type X509Certificate } from 'node:crypto';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { chainProblem, nameOf, readCertificates } from '../certificates.ts';
import type { Quote, QuoteProof } from './quote.ts';

/**
 * Follows the signatures of a quote: Intel's root → processor → quoting enclave → attestation key → quote. Needs no
 * collateral, so that a forgery is refused also where nobody can say whether the machine is up to date. Gives the
 * certificates from the processor's to the root.
 */
export function followSignatures(
  { signed, proof }: Quote,
  pem: string,
  root: X509Certificate,
): Result<readonly X509Certificate[], string> {
  const chain = readPckChain(pem, root);
  if (!chain.ok) return chain;
  const pck = chain.value[0];
  if (pck === undefined || !isSignedBy(pck.publicKey, proof.qeReport, proof.qeReportSignature))
    return fail('the report of the quoting enclave is not signed by the processor');
  if (!isKeyBound(proof)) return fail('the attestation key is not the one that the quoting enclave reported');
  const key = p256Key(proof.attestationKey);
  if (key === null || !isSignedBy(key, signed, proof.signature))
    return fail('the quote is not signed by its attestation key');
  return chain;
}

function readPckChain(pem: string, root: X509Certificate): Result<readonly X509Certificate[], string> {
  const chain = readCertificates(Buffer.from(pem, 'latin1'));
  if (chain === null || !isOneSpelling(chain, pem)) return fail('its certificates cannot be read');
  const [pck] = chain;
  if (pck === undefined || pck.ca || nameOf(pck) !== 'Intel SGX PCK Certificate')
    return fail('its first certificate is not that of a processor');
  const last = chain.at(-1);
  if (last?.raw.equals(root.raw) !== true) return fail('its certificates do not end with Intel’s root');
  const problem = chainProblem(chain);
  return problem === null ? ok(chain) : fail(problem);
}

/** No byte may differ, also where the meaning would not: what is refused is then told by bytes alone. */
const isOneSpelling = (chain: readonly X509Certificate[], pem: string): boolean =>
  withoutEnd(chain.map(String).join('')) === withoutEnd(pem);

/** Without its last newline and the zeros after that, or its zero: one byte made another is none of these ends. */
const withoutEnd = (text: string): string => text.replaceAll('\r\n', '\n').replace(/(?:\n\0*|\0)$/, '');

/** The quoting enclave puts SHA-256 of the key and its own data at the beginning of its report data. */
function isKeyBound({ attestationKey, qeAuthData, qeReport }: QuoteProof): boolean {
  const reportData = qeReport.subarray(320);
  const expected = hash('sha256', Buffer.concat([attestationKey, qeAuthData]), 'buffer');
  return reportData.equals(Buffer.concat([expected, Buffer.alloc(32)]));
}

const isSignedBy = (key: KeyObject, bytes: Buffer, signature: Buffer): boolean =>
  verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature);

function p256Key(point: Buffer): KeyObject | null {
  const [x, y] = [point.subarray(0, 32), point.subarray(32)].map((half) => half.toString('base64url'));
  if (x === undefined || y === undefined) return null;
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    return null;
  }
}
