import { fails, holds, missing, type Step } from '@countersign/audit-log/verify/report';
import type { Attestation } from '@countersign/protocol/vault/attestation';
import { checkBare, checkBinding } from './binding.ts';
import { verifyDcap } from './dcap/verify.ts';
import type { Evidence, Finding, Signed, TrustedRoots } from './evidence.ts';
import { verifyNitro } from './nitro/verify.ts';
import { checkPolicy, type Policy } from './policy.ts';
import type { AttestationReport } from './report.ts';
import { verifySevSnp } from './sev-snp/verify.ts';
import { verifySimulated } from './simulated.ts';

/** The input of a verification: a whole report, or a vendor's evidence alone. */
export type Subject =
  | { readonly kind: 'report'; readonly report: Attestation; readonly evidence: Evidence }
  | {
      readonly kind: 'evidence';
      readonly evidence: Evidence;
      /** Hex that stands beside the evidence; null where nothing does. */
      readonly reportData: string | null;
    };

/** The caller's trust anchors and expectations. */
export type Expected = {
  readonly roots: TrustedRoots;
  readonly policy: Policy;
  /** The nonce that the caller sent; null if none was sent. */
  readonly nonce: string | null;
  readonly now: Date;
};

/** Checks a report or bare evidence from what is handed in alone: no network, no clock, no files. */
export function verifyAttestation(subject: Subject, expected: Expected): AttestationReport {
  const { evidence } = subject;
  const { nonce, now, policy } = expected;
  const { steps, signed } = verifyEvidence(evidence, expected);
  const claim = subject.kind === 'report' ? claimSteps(subject.report, evidence, signed) : [];
  const bound =
    signed === null
      ? []
      : subject.kind === 'report'
        ? checkBinding(subject.report, signed, nonce, now)
        : checkBare(signed, nonce, subject.reportData);
  const isHardwareReport = subject.kind === 'report' && evidence.kind !== 'simulated';
  const allowed = signed === null ? [] : checkPolicy(signed, policy, isHardwareReport);
  return {
    kind: subject.kind,
    evidence: evidence.kind,
    steps: [...claim, ...steps, ...bound, ...allowed],
    isSimulated: evidence.kind === 'simulated',
  };
}

function verifyEvidence(evidence: Evidence, { roots, now }: Expected): Finding {
  switch (evidence.kind) {
    case 'dcap':
      return verifyDcap(evidence, roots.intel, now);
    case 'sev-snp':
      return verifySevSnp(evidence, roots.amd, now);
    case 'nitro':
      return verifyNitro(evidence, roots.aws, now);
    case 'simulated':
      return verifySimulated(evidence);
  }
}

/** The kinds of evidence that each provider produces, and what they measure. */
const spokenBy: Readonly<
  Record<Attestation['provider'], readonly [kind: Evidence['kind'], measures: string]>
> = {
  tdx: ['dcap', 'mrtd'],
  dstack: ['dcap', 'mrtd'],
  gramine: ['dcap', 'mrenclave'],
  'sev-snp': ['sev-snp', 'measurement'],
  nitro: ['nitro', 'pcr0'],
  simulated: ['simulated', 'program'],
};

/** A report must not call a quote something else than it is. */
function claimSteps(
  { provider, hardware }: Attestation,
  evidence: Evidence,
  signed: Signed | null,
): readonly Step[] {
  const [kind, measures] = spokenBy[provider];
  if (evidence.kind !== kind || (signed !== null && signed.measurements[measures] === undefined))
    return [fails(`the report calls itself ${provider}, and its quote is of another kind`)];
  if (hardware !== (kind !== 'simulated'))
    return [
      fails(`the report calls itself ${provider}, and says that it is ${hardware ? '' : 'not '}hardware`),
    ];
  const isLogMissing = provider === 'dstack' && evidence.kind === 'dcap' && evidence.eventLog === null;
  return [
    holds(`the report calls itself ${provider}, ${hardware ? 'hardware' : 'without hardware'}`),
    ...(isLogMissing
      ? [missing('there is no dstack event log, so it is not known which application runs')]
      : []),
  ];
}
