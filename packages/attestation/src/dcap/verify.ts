import type { X509Certificate } from 'node:crypto';
import { fails, holds, missing, type Step, step } from '@countersign/audit-log/verify/report';
import { nameOf, notValidAt } from '../certificates.ts';
import { dstackIdentity, replayEventLog } from '../dstack/event-log.ts';
import type { Evidence, Finding } from '../evidence.ts';
import { type Collateral, readCollateral } from './collateral.ts';
import { readProcessor } from './pck-certificate.ts';
import { judgePlatform, type Platform } from './platform.ts';
import { type Quote, readQuote } from './quote.ts';
import { followSignatures } from './signature.ts';

type DcapEvidence = Extract<Evidence, { kind: 'dcap' }>;

/** Checks a DCAP quote, and dstack's event log where there is one. */
export function verifyDcap(evidence: DcapEvidence, root: X509Certificate, now: Date): Finding {
  const read = readQuote(evidence.quote);
  if (!read.ok) return { steps: [fails(`the DCAP quote cannot be read: ${read.error}`)], signed: null };
  const quote = read.value;
  const checked = checkQuote(evidence, quote, root, now);
  const events = evidence.eventLog === null ? null : replayEventLog(evidence.eventLog, quote.measurements);
  const { reportData, measurements } = quote;
  return {
    steps: [...checked.steps, debugStep(quote), ...(events?.steps ?? [])],
    signed: {
      reportData,
      measurements: { ...measurements, ...dstackIdentity(events) },
      platform: checked.machine,
      tcb: checked.tcb,
      nonce: null,
      td: quote.td,
      snp: null,
    },
  };
}

const debugStep = ({ isDebug }: Quote): Step =>
  step(
    !isDebug,
    'it does not run in debug mode',
    'it runs in debug mode: whoever owns the machine can read its memory',
  );

type Checked = {
  readonly steps: readonly Step[];
  readonly machine: string | null;
  readonly tcb: string | null;
};
const only = (step: Step): Checked => ({ steps: [step], machine: null, tcb: null });

function checkQuote(evidence: DcapEvidence, quote: Quote, root: X509Certificate, now: Date): Checked {
  const name = `${quote.tee.toUpperCase()} quote of version ${quote.version}`;
  const collateral = evidence.collateral === null ? null : readCollateral(evidence.collateral);
  if (evidence.collateral !== null && collateral === null)
    return only(fails('the collateral cannot be read'));
  const pem = quote.proof.certificates ?? collateral?.pck_certificate_chain ?? null;
  if (pem === null)
    return only(missing(`the ${name} does not contain its certificates, and no collateral supplies them`));
  const chain = followSignatures(quote, pem, root);
  if (!chain.ok) return only(fails(`the ${name} is not signed by an Intel processor: ${chain.error}`));
  const judged = judgedBy(collateral, quote, chain.value, now);
  return {
    steps: [
      holds(`the ${name} is signed by an Intel processor, up to Intel’s root`),
      ...validitySteps(chain.value, now),
      ...judged.steps,
    ],
    machine: readProcessor(chain.value[0])?.ppid ?? null,
    tcb: judged.tcb,
  };
}

function judgedBy(
  collateral: Collateral | null,
  quote: Quote,
  chain: readonly X509Certificate[],
  now: Date,
): Pick<Checked, 'steps' | 'tcb'> {
  if (collateral === null) return { steps: [noCollateral], tcb: null };
  // Expired collateral is used as of when it was good: a forgery stays a forgery.
  const at = new Date(clamp(now.getTime(), collateral.issuedAt.getTime(), collateral.expiresAt.getTime()));
  const platform = judgePlatform(quote, collateral, chain, at);
  return platform.ok
    ? { steps: [holds(platformText(platform.value)), ageStep(collateral, now)], tcb: platform.value.tcb }
    : { steps: [fails(`Intel’s collateral does not confirm it: ${platform.error}`)], tcb: null };
}

const noCollateral = missing(
  'there is no collateral: pass Intel’s to check whether the machine is revoked or out of date',
);
const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

const platformText = ({ tcb, advisories }: Platform): string =>
  `Intel’s collateral confirms the machine: ${tcb}${advisories.length > 0 ? ` (${advisories.join(', ')})` : ''}`;

function ageStep({ issuedAt, expiresAt }: Collateral, now: Date): Step {
  const until = expiresAt.toISOString();
  if (now > expiresAt)
    return missing(`the collateral expired at ${until}, ${days(expiresAt, now)} days ago: give a newer one`);
  if (now < issuedAt)
    return missing(`the collateral was issued at ${issuedAt.toISOString()}, after the time of this check`);
  return holds(`the collateral is ${days(issuedAt, now)} days old, and good until ${until}`);
}

const days = (from: Date, to: Date): number => Math.floor((to.getTime() - from.getTime()) / 86_400_000);

function validitySteps(chain: readonly X509Certificate[], now: Date): readonly Step[] {
  const bad = notValidAt(chain, now);
  return bad === null
    ? []
    : [missing(`${nameOf(bad)} of the quote is valid only from ${bad.validFrom} to ${bad.validTo}`)];
}
