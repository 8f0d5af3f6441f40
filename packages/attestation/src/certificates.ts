import { X509Certificate } from 'node:crypto';
import { ByteReader } from './byte-reader.ts';

/** More than any vendor's chain has. */
const maxCertificates = 32;

/** Certificates as PEM, one DER, or the certificate table of AMD's extended report; null when there are none. */
export function readCertificates(bytes: Buffer): readonly X509Certificate[] | null {
  const parts = bytes[0] === sequence ? [bytes] : (pemParts(bytes) ?? tableParts(bytes));
  const certificates = parts.slice(0, maxCertificates).flatMap((part) => readCertificate(part) ?? []);
  return certificates.length > 0 ? certificates : null;
}

/** Parses one certificate, DER or PEM; null for anything else. */
export function readCertificate(bytes: Buffer | string): X509Certificate | null {
  try {
    return new X509Certificate(bytes);
  } catch {
    return null;
  }
}

const sequence = 0x30;
const pem = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]{1,16384}-----END CERTIFICATE-----/g;

function pemParts(bytes: Buffer): readonly Buffer[] | null {
  const found = bytes.toString('latin1').match(pem);
  return found === null ? null : found.map((text) => Buffer.from(text));
}

/** SEV-ES GHCB specification, certificate table: GUID (16), offset and length (4 each), until a GUID of zeros. */
function tableParts(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  const reader = new ByteReader(bytes);
  while (parts.length < maxCertificates) {
    const guid = reader.take(16);
    if (guid.length < 16 || guid.every((byte) => byte === 0)) break;
    const [offset, length] = [reader.u32(), reader.u32()];
    parts.push(bytes.subarray(offset, offset + length));
  }
  return parts;
}

/**
 * Returns what is wrong with a chain from leaf to root, in which each certificate must be issued by the next;
 * null if it is valid.
 */
export function chainProblem(chain: readonly X509Certificate[]): string | null {
  for (const [i, certificate] of chain.entries()) {
    const issuer = chain[i + 1] ?? certificate;
    if (i > 0 && !certificate.ca) return `${nameOf(certificate)} is not allowed to issue certificates`;
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))
      return `${nameOf(certificate)} is not signed by ${nameOf(issuer)}`;
  }
  return null;
}

/** The first certificate of a chain that is not valid at a time; null when all are. */
export const notValidAt = (chain: readonly X509Certificate[], at: Date): X509Certificate | null =>
  chain.find(({ validFrom, validTo }) => at < new Date(validFrom) || at > new Date(validTo)) ?? null;

/** The common name of the subject. */
export const nameOf = ({ subject }: X509Certificate): string =>
  /^CN=(.*)$/m.exec(subject)?.[1] ?? 'a certificate without a name';
