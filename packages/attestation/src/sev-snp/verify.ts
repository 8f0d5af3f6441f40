import { verify, type X509Certificate } from 'node:crypto';
import { fails, holds, missing, type Step, step, told } from '@countersign/audit-log/verify/report';
import { nameOf, notValidAt } from '../certificates.ts';
import type { Evidence, Finding, TrustedRoots } from '../evidence.ts';
import { disagreement, isZero, processorChain } from './processor-key.ts';
import { readSnpReport, type SnpReport } from './report.ts';

type SnpEvidence = Extract<Evidence, { kind: 'sev-snp' }>;

/** Checks an SEV-SNP report of version 2 or later. */
export function verifySevSnp(
  { report: bytes, certificates }: SnpEvidence,
  roots: TrustedRoots['amd'],
  now: Date,
): Finding {
  const report = readSnpReport(bytes);
  if (report === null) return { steps: [fails('the SEV-SNP report cannot be read')], signed: null };
  const { reportData, measurements, chipId } = report;
  return {
    steps: [...keySteps(report, certificates, roots, now), ...guestSteps(report)],
    signed: {
      reportData,
      measurements,
      platform: isZero(chipId) ? null : chipId.toString('hex'),
      // AMD gives versions, and no judgement of them.
      tcb: null,
      nonce: null,
    },
  };
}

function keySteps(
  report: SnpReport,
  certificates: readonly X509Certificate[],
  roots: TrustedRoots['amd'],
  now: Date,
): readonly Step[] {
  const { signer, version, signed, signature } = report;
  if (certificates.length === 0)
    return [missing(`the ${signer} certificate of the processor is missing: give it with --chain`)];
  const chain = processorChain(certificates, signer, roots);
  if (!chain.ok) return [fails(`the SEV-SNP report is not vouched for: ${chain.error}`)];
  const [key, , root] = chain.value;
  if (key === undefined || root === undefined) return [fails('the chain is too short')];
  const isSigned = verify('sha384', signed, { key: key.publicKey, dsaEncoding: 'ieee-p1363' }, signature);
  if (!isSigned) return [fails(`the SEV-SNP report is not signed by the ${signer} of the processor`)];
  const problem = disagreement(key, report);
  const expired = notValidAt(chain.value, now);
  return [
    holds(`the SEV-SNP report of version ${version} is signed by an AMD processor, up to ${nameOf(root)}`),
    step(
      problem === null,
      `chip and firmware version ${report.reportedTcb.toString('hex')} are those of its ${signer}`,
      `the report does not belong to its ${signer}: ${problem ?? ''}`,
    ),
    ...(expired === null
      ? []
      : [missing(`${nameOf(expired)} is valid only from ${expired.validFrom} to ${expired.validTo}`)]),
    told('AMD’s revocation list is not part of the evidence, and was not asked for'),
  ];
}

const guestSteps = ({ isDebug, vmpl, chipId }: SnpReport): readonly Step[] => [
  step(
    !isDebug,
    'it does not run in debug mode',
    'it runs in debug mode: whoever owns the machine can read its memory',
  ),
  told(`it was asked for at privilege level VMPL${vmpl}`),
  ...(isZero(chipId) ? [told('the host hides which chip it is')] : []),
];
