import type { KeyObject } from 'node:crypto';
import { type Attestation, attestation } from '@countersign/protocol/vault/attestation';
import { reportDataOf } from '../attestation.ts';
import { publicKeyText, readPublicKey } from '../keys.ts';
import { fails, holds, missing, type Step, step, told } from './report.ts';

/** Reads an attestation report; null when there is none or it is none. */
export function readAttestation(value: unknown): Attestation | null {
  const parsed = attestation.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** The key that a report says the log signs with. */
export const keyOf = (report: Attestation | null): KeyObject | null =>
  report === null ? null : readPublicKey(report.auditPublicKey);

/** The result if neither the caller nor the file's report names a key. */
export const noKey = (given: unknown): Step =>
  given === null || given === undefined
    ? missing('no key is known because the attestation report is missing: pass one with --key')
    : unreadable;

const unreadable = fails('the attestation report cannot be read: it was changed');

/** Checks the current signing key against the caller's trusted keys and the report in the file. */
export function checkKey(signing: KeyObject, trusted: readonly KeyObject[], given: unknown): readonly Step[] {
  const report = readAttestation(given);
  const name = publicKeyText(signing);
  const isNamed = trusted.length > 0;
  if (report === null) {
    if (given !== null && given !== undefined) return [unreadable];
    return isNamed
      ? [holds(`the key is the one you gave, ${name}`), told('there is no attestation report')]
      : [missing(`nothing confirms the key ${name}: pass the key you trust with --key`)];
  }
  const isBound = report.reportData === reportDataOf(report);
  const bound = step(
    isBound && report.auditPublicKey === name,
    'the attestation report is bound to the key that signed',
    'the attestation report is bound to another key, or its report data does not match its keys',
  );
  return [
    bound,
    isNamed ? holds(`the key is the one you gave, ${name}`) : trustOf(report, name),
    ...(report.hardware
      ? []
      : [told('the TEE is simulated: whoever runs the log could have forged any record')]),
  ];
}

/** Without a key from the caller, the file speaks for itself. */
const trustOf = ({ hardware, provider }: Attestation, name: string): Step =>
  hardware
    ? missing(
        `the quote of ${provider} is not checked here: check the report with "countersign attest verify", then give its key, ${name}, with --key`,
      )
    : told(`the key is the file's own, ${name}: compare it with the log's, or give the log's with --key`);
