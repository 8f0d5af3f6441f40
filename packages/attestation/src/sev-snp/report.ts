import { ByteReader } from '../byte-reader.ts';

/** AMD's ATTESTATION_REPORT structure (SEV-SNP firmware ABI, table 23), taken apart; nothing in it is believed yet. */
export type SnpReport = {
  readonly version: number;
  /** The bytes that the processor's key signs. */
  readonly signed: Buffer;
  /** ECDSA P-384: r and s, 48 bytes each, big endian. */
  readonly signature: Buffer;
  readonly reportData: Buffer;
  readonly isDebug: boolean;
  /** The guest's privilege level, 0 is highest. */
  readonly vmpl: number;
  /** VCEK is the chip's own key, VLEK one that a cloud provider got from AMD. */
  readonly signer: 'VCEK' | 'VLEK';
  /** The firmware's versions by which the key was derived. */
  readonly reportedTcb: Buffer;
  /** Zeros where the host hides it. */
  readonly chipId: Buffer;
  readonly guestPolicy: GuestPolicy;
  readonly measurements: Readonly<Record<string, string>>;
};

/** What a guest's owner allows the host (SEV-SNP firmware ABI, table 9), by bit of POLICY. */
const guestPolicyBits = {
  /** Two guests may share a core. */
  smt: 16n,
  /** A migration agent may move it to another machine. */
  migration: 18n,
  /** It runs on one socket only. */
  singleSocket: 20n,
  cxl: 21n,
  /** Memory is encrypted by AES-256-XTS. */
  aes256: 22n,
  /** The host cannot read its power consumption. */
  raplDisabled: 23n,
  ciphertextHiding: 24n,
  pageSwapDisabled: 25n,
} as const;
export type GuestPolicy = Readonly<Record<keyof typeof guestPolicyBits, boolean>>;
export const guestPolicyNames = Object.keys(guestPolicyBits) as readonly (keyof GuestPolicy)[];

/** Parts of the firmware, each with a version of 0 to 255. */
export const firmwareParts = ['fmc', 'bootLoader', 'tee', 'snp', 'microcode'] as const;
export type FirmwarePart = (typeof firmwareParts)[number];

/** How the guest may be run, and the firmware below it, as the report states them. */
export type SnpFacts = Pick<SnpReport, 'vmpl' | 'guestPolicy'> & {
  /** Null where no certificate tells the generation of the processor. */
  readonly firmware: Readonly<Partial<Record<FirmwarePart, number>>> | null;
};

const reportBytes = 1184;
const signedBytes = 0x2a0;
const ecdsaP384 = 1;

/** Returns whether these bytes have the size and the kind of signature of such a report. */
export const looksLikeSnpReport = (bytes: Buffer): boolean =>
  bytes.length === reportBytes && bytes.readUInt32LE(0x34) === ecdsaP384;

/** Null when it is none. Bytes that no signature covers must be zero. */
export function readSnpReport(bytes: Buffer): SnpReport | null {
  if (!looksLikeSnpReport(bytes)) return null;
  const version = bytes.readUInt32LE(0);
  const signature = readSignature(bytes.subarray(signedBytes));
  const signer = signers[(bytes.readUInt32LE(0x48) >> 2) & 7];
  if (version < 2 || signature === null || signer === undefined) return null;
  const at = (offset: number, length: number): Buffer => bytes.subarray(offset, offset + length);
  const policy = bytes.readBigUInt64LE(8);
  return {
    version,
    signed: at(0, signedBytes),
    signature,
    reportData: at(0x50, 64),
    isDebug: isSet(policy, debugBit),
    vmpl: bytes.readUInt32LE(0x30),
    signer,
    reportedTcb: at(0x180, 8),
    chipId: at(0x1a0, 64),
    guestPolicy: readGuestPolicy(policy),
    measurements: {
      measurement: at(0x90, 48).toString('hex'),
      'host-data': at(0xc0, 32).toString('hex'),
      'id-key-digest': at(0xe0, 48).toString('hex'),
      'author-key-digest': at(0x110, 48).toString('hex'),
    },
  };
}

const debugBit = 19n;
const isSet = (bits: bigint, at: bigint): boolean => ((bits >> at) & 1n) === 1n;

const readGuestPolicy = (policy: bigint): GuestPolicy =>
  Object.fromEntries(
    Object.entries(guestPolicyBits).map(([name, at]) => [name, isSet(policy, at)]),
  ) as GuestPolicy;

const signers = ['VCEK', 'VLEK'] as const;

/** R and s stand little endian in 72 bytes each; the rest of 512 is reserved. */
function readSignature(bytes: Buffer): Buffer | null {
  const reader = new ByteReader(bytes);
  const [r, rest, s] = [reader.take(48), reader.take(24), reader.take(48)];
  const reserved = Buffer.concat([rest, reader.rest()]);
  const bigEndian = (number: Buffer): Buffer => Buffer.from(number).reverse();
  return reserved.every((byte) => byte === 0) ? Buffer.concat([bigEndian(r), bigEndian(s)]) : null;
}
