import { fail, ok, type Result } from '@countersign/protocol/result';
import { ByteReader } from '../byte-reader.ts';

/** An ECDSA quote of Intel's DCAP, taken apart; nothing in it is believed yet. */
export type Quote = {
  readonly version: number;
  readonly tee: 'sgx' | 'tdx';
  /** What the attestation key signs: header and report. */
  readonly signed: Buffer;
  readonly reportData: Buffer;
  readonly isDebug: boolean;
  /** Hex by Intel's name in lower case. */
  readonly measurements: Readonly<Record<string, string>>;
  readonly proof: QuoteProof;
};

/** The signatures of a quote, and what they are made with. */
export type QuoteProof = {
  readonly signature: Buffer;
  /** P-256, x and y. */
  readonly attestationKey: Buffer;
  readonly qeReport: Buffer;
  readonly qeReportSignature: Buffer;
  readonly qeAuthData: Buffer;
  /** PEM; null when the quote names its certificate only by an encrypted id. */
  readonly certificates: string | null;
};

type Body = Pick<Quote, 'tee' | 'reportData' | 'isDebug' | 'measurements'> & { readonly length: number };

const headerBytes = 48;
const vendorIdAt = 12;
const intelQeVendorId = '939a7233f79c4ca9940a0db3957f0607';
const ecdsaP256 = 2;

/** Whether these bytes say that they are a quote of Intel's quoting enclave. */
export const looksLikeQuote = (bytes: Buffer): boolean =>
  bytes.subarray(vendorIdAt, vendorIdAt + 16).toString('hex') === intelQeVendorId;

/** Reads a quote of version 3 (SGX), 4 or 5 (TDX). Zeros after its end are cut, as drivers give whole buffers. */
export function readQuote(bytes: Buffer): Result<Quote, string> {
  const reader = new ByteReader(bytes);
  const header = new ByteReader(reader.take(headerBytes));
  const [version, keyType, teeType] = [header.u16(), header.u16(), header.u32()];
  if (!looksLikeQuote(bytes)) return fail('it is not made by Intel’s quoting enclave');
  if (keyType !== ecdsaP256) return fail(`its key is of type ${keyType}, and only ECDSA P-256 (2) is known`);
  const body = readBody(reader, version, teeType);
  if (body === null)
    return fail(`version ${version} for TEE type ${teeType} is not known: 3 is SGX, 4 and 5 are TDX`);
  const proof = readProof(reader.take(reader.u32()), version);
  const isEnded = reader.rest().every((byte) => byte === 0) && reader.isWhole;
  if (!proof.ok) return proof;
  if (!isEnded) return fail('it is cut off, or other bytes follow it');
  return ok({ version, signed: bytes.subarray(0, headerBytes + body.length), ...body, proof: proof.value });
}

const [sgx, tdx] = [0, 0x81];

function readBody(reader: ByteReader, version: number, teeType: number): Body | null {
  if (version === 3 && teeType === sgx) return readEnclave(reader);
  if (teeType !== tdx) return null;
  if (version === 4) return readDomain(reader, 0);
  if (version !== 5) return null;
  const [type, size] = [reader.u16(), reader.u32()];
  const [domain, domain15] = [2, 3];
  if (type === domain && size === 584) return { ...readDomain(reader, 0), length: size + 6 };
  return type === domain15 && size === 648 ? { ...readDomain(reader, 64), length: size + 6 } : null;
}

/** SGX_REPORT_BODY, 384 bytes. */
function readEnclave(reader: ByteReader): Body {
  reader.take(16 + 4 + 28);
  const attributes = reader.take(16);
  const mrenclave = reader.hex(32);
  reader.take(32);
  const mrsigner = reader.hex(32);
  reader.take(96);
  const [isvprodid, isvsvn] = [reader.hex(2), reader.hex(2)];
  reader.take(60);
  const reportData = reader.take(64);
  const isDebug = ((attributes[0] ?? 0) & 2) !== 0;
  return {
    tee: 'sgx',
    reportData,
    isDebug,
    measurements: { mrenclave, mrsigner, isvprodid, isvsvn },
    length: 384,
  };
}

/** TDREPORT 1.0, 584 bytes; 1.5 has 64 more. */
function readDomain(reader: ByteReader, more: 0 | 64): Body {
  reader.take(16 + 48 + 48 + 8);
  const attributes = reader.take(8);
  reader.take(8);
  const names = ['mrtd', 'mrconfigid', 'mrowner', 'mrownerconfig', 'rtmr0', 'rtmr1', 'rtmr2', 'rtmr3'];
  const measurements = Object.fromEntries(names.map((name) => [name, reader.hex(48)]));
  const reportData = reader.take(64);
  reader.take(more);
  return { tee: 'tdx', reportData, isDebug: (attributes[0] ?? 0) !== 0, measurements, length: 584 + more };
}

function readProof(bytes: Buffer, version: number): Result<QuoteProof, string> {
  const reader = new ByteReader(bytes);
  const [signature, attestationKey] = [reader.take(64), reader.take(64)];
  const inner = version === 3 ? reader.rest() : nested(reader);
  const qe = new ByteReader(inner ?? Buffer.alloc(0));
  const [qeReport, qeReportSignature] = [qe.take(384), qe.take(64)];
  const qeAuthData = qe.take(qe.u16());
  const type = qe.u16();
  const certification = qe.take(qe.u32());
  const isKnown = type === pckChain || encryptedIdBytes[type] === certification.length;
  if (inner === null || !reader.isWhole || !qe.isWhole || !isKnown)
    return fail('its signature part is malformed');
  const certificates = type === pckChain ? certification.toString('latin1') : null;
  return ok({ signature, attestationKey, qeReport, qeReportSignature, qeAuthData, certificates });
}

const [pckChain, qeReportCertification] = [5, 6];
/** A PPID encrypted under RSA-2048 (2) or RSA-3072 (3), and 20 bytes of versions. */
const encryptedIdBytes: Readonly<Record<number, number>> = { 2: 276, 3: 404 };

function nested(reader: ByteReader): Buffer | null {
  const type = reader.u16();
  const inner = reader.take(reader.u32());
  return type === qeReportCertification ? inner : null;
}
