import type { X509Certificate } from 'node:crypto';
import { type Collateral as QvlCollateral, QuoteVerifier, type VerifiedReport } from '@phala/dcap-qvl';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { nameOf, readCertificates } from '../certificates.ts';
import { derItems, extensionsOf, itemsIn } from '../der.ts';
import type { Collateral } from './collateral.ts';
import { isCrlSignedBy } from './crl.ts';

export type Platform = {
  /** Intel's judgement of processor and quoting enclave, such as `UpToDate`. */
  readonly tcb: string;
  readonly advisories: readonly string[];
};

/**
 * Judges by Intel's collateral whether the machine is genuine, not revoked and up to date. `chain` is the processor's.
 * The library trusts revocation lists unseen, and any of Intel's certificates for any purpose; both are checked here.
 */
export function judgePlatform(
  quote: Buffer,
  collateral: Collateral,
  chain: readonly X509Certificate[],
  at: Date,
): Result<Platform, string> {
  const [pck, issuer] = chain;
  const root = chain.at(-1);
  if (pck === undefined || issuer === undefined || root === undefined) return fail('its chain is too short');
  const problem = revocation(collateral, pck, issuer, root);
  if (problem !== null) return fail(problem);
  if (!isTcbSigner(collateral.tcb_info_issuer_chain) || !isTcbSigner(collateral.qe_identity_issuer_chain))
    return fail('the collateral is not signed by Intel’s TCB signer');
  return askLibrary(quote, forLibrary(collateral, chain), root, at);
}

function revocation(
  { rootCrl, pckCrl }: Collateral,
  pck: X509Certificate,
  issuer: X509Certificate,
  root: X509Certificate,
): string | null {
  if (!isCrlSignedBy(rootCrl, root.publicKey) || !isCrlSignedBy(pckCrl, issuer.publicKey))
    return 'a revocation list is not signed by its issuer';
  const isRevoked = pckCrl.revoked.has(pck.serialNumber) || rootCrl.revoked.has(issuer.serialNumber);
  return isRevoked ? 'the certificate of this processor is revoked' : null;
}

const isTcbSigner = (pem: string): boolean => {
  const [signer, ...issuers] = readCertificates(Buffer.from(pem)) ?? [];
  return signer !== undefined && nameOf(signer) === 'Intel SGX TCB Signing' && issuers.every(({ ca }) => ca);
};

function askLibrary(
  quote: Buffer,
  collateral: QvlCollateral,
  root: X509Certificate,
  at: Date,
): Result<Platform, string> {
  try {
    const verifier = QuoteVerifier.newWithRootCa(root.raw);
    return ok(platformOf(verifier.verify(quote, collateral, at.getTime() / 1000)));
  } catch (error) {
    // Its messages are fixed sentences and values of the quote.
    return fail(error instanceof Error ? error.message.slice(0, 200) : 'it cannot be checked');
  }
}

const platformOf = ({ status, advisory_ids }: VerifiedReport): Platform => ({
  tcb: status,
  advisories: advisory_ids,
});

/** In its own form; the chain is the one whose signatures were followed. */
const forLibrary = (collateral: Collateral, chain: readonly X509Certificate[]) => ({
  ...collateral,
  root_ca_crl: collateral.root_ca_crl.toString('hex'),
  pck_crl: collateral.pck_crl.toString('hex'),
  pck_crl_issuer_chain: '',
  tcb_info_signature: collateral.tcb_info_signature.toString('hex'),
  qe_identity_signature: collateral.qe_identity_signature.toString('hex'),
  pck_certificate_chain: chain.map(String).join(''),
});

/** Intel's arc 1.2.840.113741.1.13.1 in hex. */
const sgxExtension = '2a864886f84d010d01';

/** The processor's id (PPID) in its certificate, hex; null when there is none. */
export function processorId(pck: X509Certificate | undefined): string | null {
  const extension = pck === undefined ? undefined : extensionsOf(pck.raw).get(sgxExtension);
  const [list] = extension === undefined ? [] : (derItems(extension) ?? []);
  const entry = itemsIn(list)
    .map(itemsIn)
    .find(([id]) => id?.value.toString('hex') === `${sgxExtension}01`);
  return entry?.[1]?.value.toString('hex') ?? null;
}
