import type { X509Certificate } from 'node:crypto';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { chainProblem, nameOf } from '../certificates.ts';
import { extensionsOf } from '../der.ts';
import type { TrustedRoots } from '../evidence.ts';
import type { FirmwarePart, SnpFacts, SnpReport } from './report.ts';

export type ChainProblem = {
  /** The chain may be genuine: one of its certificates was not given. */
  readonly isMissing: boolean;
  readonly what: string;
};

/** The chain VCEK or VLEK → ASK or ASVK → ARK, from what was given and what AMD publishes; the last one is a trusted root. */
export function processorChain(
  given: readonly X509Certificate[],
  signer: SnpReport['signer'],
  { roots, intermediates }: TrustedRoots['amd'],
): Result<readonly X509Certificate[], ChainProblem> {
  const key = given.find((certificate) => nameOf(certificate) === `SEV-${signer}`);
  if (key === undefined) return bad(`the certificates do not include SEV-${signer}`);
  const issuer = issuerOf(key, [...given, ...intermediates]);
  if (issuer === null) return noIssuer(key, signer, [...given, ...intermediates]);
  const root = issuerOf(issuer, roots);
  if (root === null) return bad(`its ${signer} does not lead to a root of AMD`);
  const chain = [key, issuer, root];
  const problem = chainProblem(chain);
  return problem === null ? ok(chain) : bad(problem);
}

const bad = (what: string) => fail({ isMissing: false, what });

/** AMD names the issuers `SEV-` and the generation; one that is new since is missing, and nothing is wrong with the key. */
function noIssuer(key: X509Certificate, signer: string, known: readonly X509Certificate[]) {
  const name = /^CN=(SEV-.*)$/m.exec(key.issuer)?.[1];
  if (name === undefined || known.some((one) => nameOf(one) === name))
    return bad(`its ${signer} does not lead to a root of AMD`);
  const what = `${name}, which issued its ${signer}, is neither built in nor among the certificates: give it with --chain`;
  return fail({ isMissing: true, what });
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

/** Which byte of the report's TCB version is which part; since Turin an FMC comes first. */
const tcbLayout = {
  milan: { bootLoader: 0, tee: 1, snp: 6, microcode: 7 },
  turin: { fmc: 0, bootLoader: 1, tee: 2, snp: 3, microcode: 7 },
} as const satisfies Record<string, Readonly<Partial<Record<FirmwarePart, number>>>>;

const layoutOf = (found: ReadonlyMap<string, Buffer>): readonly (readonly [FirmwarePart, number])[] =>
  Object.entries(found.has(extensions.fmc) ? tcbLayout.turin : tcbLayout.milan) as [FirmwarePart, number][];

/** Versions of the firmware by which the key was derived. */
export const firmwareOf = (
  certificate: X509Certificate,
  { reportedTcb }: SnpReport,
): NonNullable<SnpFacts['firmware']> =>
  Object.fromEntries(
    layoutOf(extensionsOf(certificate.raw)).map(([part, at]) => [part, reportedTcb[at] ?? 0]),
  );

/** Returns where the report contradicts the certificate of its signing key; null if nowhere. */
export function disagreement(certificate: X509Certificate, report: SnpReport): string | null {
  const found = extensionsOf(certificate.raw);
  const differs = layoutOf(found).find(
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
