import { reportDataOf } from '@countersign/audit-log/attestation';
import { readBase64 } from '@countersign/audit-log/keys';
import { fails, holds, type Step, step, told } from '@countersign/audit-log/verify/report';
import type { Attestation } from '@countersign/protocol/vault/attestation';
import type { Signed } from './evidence.ts';

/** Returns whether a report's keys are the ones that the hardware signed for, in answer to this nonce. */
export function checkBinding(
  report: Attestation,
  signed: Signed,
  nonce: string | null,
  now: Date,
): readonly Step[] {
  return [
    ...keySteps(report),
    step(
      report.reportData === reportDataOf(report),
      'the report data is SHA-512 of both keys and the nonce',
      'the report data does not match these keys and this nonce',
    ),
    step(
      signed.reportData?.toString('hex') === report.reportData,
      'the quote covers this report data',
      'the quote covers other report data',
    ),
    ...measurementStep(report, signed),
    nonceStep(report, nonce),
    told(`the report states that it was made at ${report.createdAt}${agoText(report.createdAt, now)}`),
  ];
}

const keySteps = ({ auditPublicKey, sealPublicKey }: Attestation): readonly Step[] => {
  const seal = readBase64(sealPublicKey, 65);
  return [
    readBase64(auditPublicKey, 32) === null
      ? fails('the audit key is not 32 bytes in base64')
      : told(`audit key (Ed25519): ${auditPublicKey}`),
    seal === null || seal[0] !== 4
      ? fails('the sealing key is not an uncompressed point of P-256 in base64')
      : told(`sealing key (HPKE, P-256): ${sealPublicKey}`),
  ];
};

/** Checks that the measurements that a report states next to the evidence equal those in the evidence. */
function measurementStep({ measurements }: Attestation, signed: Signed): readonly Step[] {
  const told = typeof measurements === 'object' && measurements !== null ? Object.entries(measurements) : [];
  const different = told.find(([name, value]) => {
    const measured = signed.measurements[name.toLowerCase()];
    return measured !== undefined && measured !== value;
  });
  return different === undefined
    ? []
    : [fails(`the report states another ${different[0]} than the quote was made over`)];
}

function nonceStep(report: Attestation, nonce: string | null): Step {
  if (nonce === null)
    return told(
      'freshness was not checked: request the report with ?nonce= and a random value, and pass that value with --nonce',
    );
  return step(
    report.nonce === nonce,
    'it answers your nonce',
    'it answers a different nonce than yours, so it may be an old report',
  );
}

function agoText(createdAt: string, now: Date): string {
  const minutes = Math.round((now.getTime() - Date.parse(createdAt)) / 60_000);
  return Number.isNaN(minutes) || minutes < 2 ? '' : `, ${minutes} minutes ago`;
}

/** Vendor evidence alone: there are no keys to compare with, only what the caller gave. */
export function checkBare(signed: Signed, nonce: string | null, told_: string | null): readonly Step[] {
  const data = signed.reportData?.toString('hex') ?? null;
  return [
    told(data === null ? 'it covers no report data' : `it covers the report data ${data}`),
    told('which keys it covers was not checked: that needs the whole report from /api/v1/attestation/report'),
    ...(told_ === null || data === null
      ? []
      : [
          step(
            data === told_.toLowerCase().padEnd(128, '0'),
            'the report data matches the one beside the quote',
            'the report data differs from the one beside the quote',
          ),
        ]),
    bareNonceStep(signed.nonce, nonce),
  ];
}

function bareNonceStep(own: string | null, nonce: string | null): Step {
  if (nonce === null) return told('freshness was not checked: no --nonce was given');
  return own?.toLowerCase() === nonce.toLowerCase()
    ? holds('it answers your nonce')
    : fails('it does not answer your nonce');
}
