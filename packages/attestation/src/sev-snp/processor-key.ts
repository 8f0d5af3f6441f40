import type { X509Certificate } from 'node:crypto';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { chainProblem, nameOf } from '../certificates.ts';
import { extensionsOf } from '../der.ts';
import type { TrustedRoots } from '../evidence.ts';
import type { SnpReport } from './report.ts';

/** The chain VCEK or VLEK → ASK → ARK, from what was given and what AMD publishes; the last one is a trusted root. */
export function processorChain(
  given: readonly X509Certificate[],
  signer: SnpReport['signer'],
  { roots, intermediates }: TrustedRoots['amd'],
): Result<readonly X509Certificate[], string> {
  const key = given.find((certificate) => nameOf(certificate) === `SEV-${signer}`);
  if (key === undefined) return fail(`among the certificates is no SEV-${signer}`);
  const issuer = issuerOf(key, [...given, ...intermediates]);
  const root = issuer === null ? null : issuerOf(issuer, roots);
  if (issuer === null || root === null) return fail(`its ${signer} does not lead to a root of AMD`);
  const chain = [key, issuer, root];
  const problem = chainProblem(chain);
  return problem === null ? ok(chain) : fail(problem);
}

const issuerOf = (
  certificate: X509Certificate,
  candidates: readonly X509Certificate[],
): X509Certificate | null =>
  candidates.find((one) => certificate.checkIssued(one) && certificate.verify(one.publicKey)) ?? null;

/** AMD's arc 1.3.6.1.4.1.3704.1 in hex, and what is below it. */
const arc = '2b060104019c7801';
const extensions = {
  bootLoader: `${arc}0301`,
  tee: `${arc}0302`,
  snp: `${arc}0303`,
  microcode: `${arc}0308`,
  fmc: `${arc}0309`,
  chipId: `${arc}04`,
} as const;
type Part = Exclude<keyof typeof extensions, 'chipId'>;

/** Which byte of the report's TCB version is which part; since Turin an FMC comes first. */
const tcbLayout: Readonly<Record<'milan' | 'turin', Readonly<Partial<Record<Part, number>>>>> = {
  milan: { bootLoader: 0, tee: 1, snp: 6, microcode: 7 },
  turin: { fmc: 0, bootLoader: 1, tee: 2, snp: 3, microcode: 7 },
};

/** What of the report does not agree with the key that signed it; null when all does. */
export function disagreement(certificate: X509Certificate, report: SnpReport): string | null {
  const found = extensionsOf(certificate.raw);
  const layout = found.has(extensions.fmc) ? tcbLayout.turin : tcbLayout.milan;
  const parts = Object.entries(layout) as [Part, number][];
  const differs = parts.find(
    ([part, at]) => smallInteger(found.get(extensions[part])) !== report.reportedTcb[at],
  );
  if (differs !== undefined) return `its firmware version (${differs[0]}) is not that of the certificate`;
  const chipId = found.get(extensions.chipId);
  // A VLEK belongs to no chip, and a host may hide which chip it is.
  if (report.signer === 'VLEK' || isZero(report.chipId)) return null;
  return chipId !== undefined && isSameChip(chipId, report.chipId)
    ? null
    : 'its chip is not that of the certificate';
}

/** A DER INTEGER of 0 to 255; null for anything else. */
function smallInteger(der: Buffer | undefined): number | null {
  if (der === undefined || der[0] !== 2 || der[1] !== der.length - 2 || der.length > 4) return null;
  return der.length === 4 && der[2] !== 0 ? null : (der.at(-1) ?? null);
}

/** The id stands raw or in an OCTET STRING; chips since Turin have eight bytes, which zeros follow in a report. */
function isSameChip(extension: Buffer, chipId: Buffer): boolean {
  const isWrapped = extension[0] === 4 && extension[1] === extension.length - 2;
  const readings = isWrapped ? [extension, extension.subarray(2)] : [extension];
  return readings.some(
    (id) =>
      (id.length === 8 || id.length === 64) &&
      chipId.subarray(0, id.length).equals(id) &&
      isZero(chipId.subarray(id.length)),
  );
}

export const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);
