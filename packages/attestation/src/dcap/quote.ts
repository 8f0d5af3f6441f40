import { fail, ok, type Result } from '@countersign/protocol/result';
import { ByteReader } from '../byte-reader.ts';

/** An ECDSA quote of Intel's DCAP, taken apart; nothing in it is believed yet. */
export type Quote = {
  readonly version: number;
  readonly tee: 'sgx' | 'tdx';
  /** The bytes that the attestation key signs: header and report. */
  readonly signed: Buffer;
  readonly reportData: Buffer;
  readonly isDebug: boolean;
  /** Hex by Intel's name in lower case. */
  readonly measurements: Readonly<Record<string, string>>;
  /** Null for SGX. */
  readonly td: TdFacts | null;
  readonly proof: QuoteProof;
};

/**
 * The contents of a TD report besides the measurements: the module that runs the guest, and how the guest may
 * be run.
 */
export type TdFacts = {
  /** TEE_TCB_SVN, 16 bytes: version of the module when the guest was started. */
  readonly teeTcbSvn: Buffer;
  /** The same of the module that runs now; null before TDX 1.5. */
  readonly teeTcbSvn2: Buffer | null;
  /** MRSIGNERSEAM, hex. */
  readonly mrSignerSeam: string;
  /** 8 bytes. */
  readonly seamAttributes: Buffer;
  /** TDATTRIBUTES, 64 bits. */
  readonly attributes: bigint;
  /** MRSERVICETD, hex; null before TDX 1.5. */
  readonly mrServiceTd: string | null;
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

type Body = Pick<Quote, 'tee' | 'reportData' | 'isDebug' | 'measurements' | 'td'> & {
  readonly length: number;
};

const headerBytes = 48;
const vendorIdAt = 12;
const intelQeVendorId = '939a7233f79c4ca9940a0db3957f0607';
const ecdsaP256 = 2;

/** Returns whether these bytes say that they are a quote of Intel's quoting enclave. */
export const looksLikeQuote = (bytes: Buffer): boolean =>
  bytes.subarray(vendorIdAt, vendorIdAt + 16).toString('hex') === intelQeVendorId;

/** Reads a quote of version 3 (SGX), 4 or 5 (TDX). Zeros after its end are cut, as drivers give whole buffers. */
export function readQuote(bytes: Buffer): Result<Quote, string> {
  const reader = new ByteReader(bytes);
  const header = new ByteReader(reader.take(headerBytes));
  const [version, keyType, teeType] = [header.u16(), header.u16(), header.u32()];
  if (!looksLikeQuote(bytes)) return fail('Intel’s quoting enclave did not make it');
  if (keyType !== ecdsaP256) return fail(`its key is of type ${keyType}, and only ECDSA P-256 (2) is known`);
  const body = readBody(reader, version, teeType);
  if (body === null)
    return fail(`version ${version} for TEE type ${teeType} is not known: 3 is SGX, 4 and 5 are TDX`);
  const proof = readProof(reader.take(reader.u32()), version);
  const isEnded = reader.rest().every((byte) => byte === 0) && reader.isWhole;
  if (!proof.ok) return proof;
  if (!isEnded) return fail('it is truncated, or other bytes follow it');
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
    td: null,
    length: 384,
  };
}

/** TDREPORT 1.0, 584 bytes; 1.5 has 64 more. */
function readDomain(reader: ByteReader, more: 0 | 64): Body {
  const teeTcbSvn = reader.take(16);
  const [mrseam, mrSignerSeam, seamAttributes] = [reader.hex(48), reader.hex(48), reader.take(8)];
  const attributes = reader.u64();
  reader.take(8);
  const names = ['mrtd', 'mrconfigid', 'mrowner', 'mrownerconfig', 'rtmr0', 'rtmr1', 'rtmr2', 'rtmr3'];
  const measurements = { ...Object.fromEntries(names.map((name) => [name, reader.hex(48)])), mrseam };
  const reportData = reader.take(64);
  const [teeTcbSvn2, mrServiceTd] = more === 0 ? [null, null] : [reader.take(16), reader.hex(48)];
  return {
    tee: 'tdx',
    reportData,
    isDebug: (attributes & debugBits) !== 0n,
    measurements,
    td: { teeTcbSvn, teeTcbSvn2, mrSignerSeam, seamAttributes, attributes, mrServiceTd },
    length: 584 + more,
  };
}

/** TUD: whatever of it is set, the guest's secrets are not its own. */
const debugBits = 0xffn;

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
