import { verify, type X509Certificate } from 'node:crypto';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { chainProblem, nameOf, notValidAt, readCertificates } from '../certificates.ts';
import type { Collateral } from './collateral.ts';
import { isCrlSignedBy } from '../crl.ts';
import { readProcessor } from './pck-certificate.ts';
import type { Quote } from './quote.ts';
import { judgeQuotingEnclave } from './quoting-enclave.ts';
import { platformStatus, reachedLevels, type TcbStatus } from './tcb-level.ts';
import { judgeTdxModule } from './tdx-module.ts';

export type Platform = {
  /** Intel's judgement of processor, TDX module and quoting enclave. */
  readonly tcb: TcbStatus;
  readonly advisories: readonly string[];
};

/**
 * Judges by Intel's rules and collateral whether the machine is genuine, not revoked and up to date. `chain` is the
 * processor's, whose signatures were followed. What its owner may choose is not judged here but by our policy.
 */
export function judgePlatform(
  quote: Quote,
  collateral: Collateral,
  chain: readonly X509Certificate[],
  at: Date,
): Result<Platform, string> {
  const [pck, issuer] = chain;
  const root = chain.at(-1);
  if (pck === undefined || issuer === undefined || root === undefined) return fail('its chain is too short');
  const problem =
    revocation(collateral, pck, issuer, root) ??
    forgery(collateral, root, at) ??
    mismatch(collateral, quote, pck);
  return problem === null ? judge(quote, collateral, pck) : fail(problem);
}

function judge(
  quote: Quote,
  { tcbInfo, qeIdentity }: Collateral,
  pck: X509Certificate,
): Result<Platform, string> {
  const processor = readProcessor(pck);
  if (processor === null) return fail('its certificate does not say which processor it belongs to');
  const enclave = judgeQuotingEnclave(quote.proof.qeReport, quote.tee, qeIdentity);
  if (!enclave.ok) return enclave;
  const tdxModule = quote.td === null ? ok(null) : judgeTdxModule(quote.td, tcbInfo);
  if (!tdxModule.ok) return tdxModule;
  const levels = reachedLevels(processor, quote.td, tcbInfo);
  if (!levels.ok) return levels;
  const judged = {
    ...levels.value,
    td: quote.td,
    tdxModule: tdxModule.value,
    quotingEnclave: enclave.value,
  };
  const tcb = platformStatus(judged, tcbInfo);
  if (!tcb.ok) return tcb;
  const parts = [judged.tdx ?? judged.sgx, judged.tdxModule, judged.quotingEnclave];
  return ok({ tcb: tcb.value, advisories: [...new Set(parts.flatMap((part) => part?.advisoryIDs ?? []))] });
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

/**
 * Returns whether what the collateral says is signed by Intel's TCB signer; any other certificate of Intel's
 * is for other things.
 */
function forgery(collateral: Collateral, root: X509Certificate, at: Date): string | null {
  const { tcb_info, tcb_info_signature, tcb_info_issuer_chain } = collateral;
  const { qe_identity, qe_identity_signature, qe_identity_issuer_chain } = collateral;
  const parts = [
    ['TCB info', tcb_info, tcb_info_signature, tcb_info_issuer_chain],
    ['identity of the quoting enclave', qe_identity, qe_identity_signature, qe_identity_issuer_chain],
  ] as const;
  for (const [name, text, signature, pem] of parts) {
    const signer = readTcbSigner(pem, collateral, root, at);
    if (!signer.ok) return `the ${name}: ${signer.error}`;
    const key = { key: signer.value.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    if (!verify('sha256', Buffer.from(text), key, signature)) return `the ${name} is not signed by Intel`;
  }
  return null;
}

function readTcbSigner(
  pem: string,
  { rootCrl }: Collateral,
  root: X509Certificate,
  at: Date,
): Result<X509Certificate, string> {
  const chain = readCertificates(Buffer.from(pem)) ?? [];
  const [signer] = chain;
  if (signer === undefined || nameOf(signer) !== 'Intel SGX TCB Signing')
    return fail('it is not signed by Intel’s TCB signer');
  if (chain.at(-1)?.raw.equals(root.raw) !== true || chainProblem(chain) !== null)
    return fail('the certificate of its signer does not lead to Intel’s root');
  if (rootCrl.revoked.has(signer.serialNumber)) return fail('the certificate of its signer is revoked');
  return notValidAt(chain, at) === null
    ? ok(signer)
    : fail('the certificate of its signer was not valid then');
}

function mismatch({ tcbInfo }: Collateral, { tee }: Quote, pck: X509Certificate): string | null {
  if (tcbInfo.id !== tee.toUpperCase()) return 'the TCB info is that of another kind of TEE';
  const processor = readProcessor(pck);
  return processor?.fmspc === tcbInfo.fmspc && processor.pceId === tcbInfo.pceId
    ? null
    : 'the TCB info is that of another kind of processor';
}
