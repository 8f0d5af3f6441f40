import { verify, type X509Certificate } from 'node:crypto';
import { fails, holds, missing, type Step, step, told } from '@countersign/audit-log/verify/report';
import { nameOf, notValidAt } from '../certificates.ts';
import { type Crl, isCrlSignedBy } from '../crl.ts';
import type { Evidence, Finding, TrustedRoots } from '../evidence.ts';
import { disagreement, firmwareOf, isZero, processorChain } from './processor-key.ts';
import { readSnpReport, type SnpFacts, type SnpReport } from './report.ts';

type SnpEvidence = Extract<Evidence, { kind: 'sev-snp' }>;

/** Checks an SEV-SNP report of version 2 or later. */
export function verifySevSnp(evidence: SnpEvidence, roots: TrustedRoots['amd'], now: Date): Finding {
  const report = readSnpReport(evidence.report);
  if (report === null) return { steps: [fails('the SEV-SNP report cannot be read')], signed: null };
  const { reportData, measurements, chipId, vmpl, guestPolicy } = report;
  const checked = checkKey(report, evidence, roots, now);
  return {
    steps: [...checked.steps, ...guestSteps(report)],
    signed: {
      reportData,
      measurements,
      platform: isZero(chipId) ? null : chipId.toString('hex'),
      // AMD gives versions, and no judgement of them.
      tcb: null,
      nonce: null,
      td: null,
      snp: { vmpl, guestPolicy, firmware: checked.firmware },
    },
  };
}

type Checked = { readonly steps: readonly Step[]; readonly firmware: SnpFacts['firmware'] };
const only = (step: Step): Checked => ({ steps: [step], firmware: null });

function checkKey(
  report: SnpReport,
  { certificates, crls }: SnpEvidence,
  roots: TrustedRoots['amd'],
  now: Date,
): Checked {
  const { signer, version, signed, signature } = report;
  if (certificates.length === 0)
    return only(missing(`the ${signer} certificate of the processor is missing: give it with --chain`));
  const chain = processorChain(certificates, signer, roots);
  if (!chain.ok)
    return only(
      chain.error.isMissing
        ? missing(chain.error.what)
        : fails(`the SEV-SNP report cannot be trusted: ${chain.error.what}`),
    );
  const [key, , root] = chain.value;
  if (key === undefined || root === undefined) return only(fails('the chain is too short'));
  const isSigned = verify('sha384', signed, { key: key.publicKey, dsaEncoding: 'ieee-p1363' }, signature);
  if (!isSigned) return only(fails(`the SEV-SNP report is not signed by the ${signer} of the processor`));
  const problem = disagreement(key, report);
  const expired = notValidAt(chain.value, now);
  return {
    firmware: firmwareOf(key, report),
    steps: [
      holds(`the SEV-SNP report of version ${version} is signed by an AMD processor, up to ${nameOf(root)}`),
      step(
        problem === null,
        `chip and firmware version ${report.reportedTcb.toString('hex')} are those of its ${signer}`,
        `the report does not belong to its ${signer}: ${problem ?? ''}`,
      ),
      ...(expired === null
        ? []
        : [missing(`${nameOf(expired)} is valid only from ${expired.validFrom} to ${expired.validTo}`)]),
      ...revocationSteps(crls, chain.value, now),
    ],
  };
}

function revocationSteps(
  crls: readonly Crl[],
  chain: readonly X509Certificate[],
  now: Date,
): readonly Step[] {
  const root = chain.at(-1);
  if (crls.length === 0 || root === undefined)
    return [told('whether AMD revoked its certificates was not checked: give AMD’s list with --crl')];
  const own = crls.filter((crl) => isCrlSignedBy(crl, root.publicKey));
  if (own.length === 0) return [missing(`no revocation list that was given is signed by ${nameOf(root)}`)];
  const revoked = chain.find(({ serialNumber }) => own.some((crl) => crl.revoked.has(serialNumber)));
  if (revoked !== undefined) return [fails(`AMD has revoked ${nameOf(revoked)}`)];
  const until = new Date(Math.max(...own.map(({ expiresAt }) => expiresAt.getTime())));
  return [
    now > until
      ? missing(`AMD’s revocation list expired at ${until.toISOString()}: give a newer one`)
      : holds(
          `none of its certificates is on AMD’s revocation list, which is good until ${until.toISOString()}`,
        ),
  ];
}

const guestSteps = ({ isDebug, vmpl, chipId, guestPolicy }: SnpReport): readonly Step[] => [
  step(
    !isDebug,
    'it does not run in debug mode',
    'it runs in debug mode: whoever owns the machine can read its memory',
  ),
  told(`it was asked for at privilege level VMPL${vmpl}`),
  ...(guestPolicy.migration
    ? [told('its policy allows that a migration agent moves it to another machine')]
    : []),
  ...(isZero(chipId) ? [told('the host hides which chip it is')] : []),
];
