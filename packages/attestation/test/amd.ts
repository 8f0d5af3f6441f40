import { createHash, sign } from 'node:crypto';
import type { TrustedRoots } from '../src/evidence.ts';
import { type Authority, type Extension, issue } from './authority.ts';
import { integer, octets } from './der-writer.ts';

const arc = '1.3.6.1.4.1.3704.1';
export const chipId = createHash('sha512').update('chip').digest();

type Layout = 'milan' | 'turin';
/** Parts of the firmware version: extension, byte of the report, version. */
const parts: Readonly<Record<Layout, readonly (readonly [id: string, at: number, version: number])[]>> = {
  milan: [
    ['3.1', 0, 4],
    ['3.2', 1, 0],
    ['3.3', 6, 23],
    ['3.8', 7, 213],
  ],
  turin: [
    ['3.9', 0, 1],
    ['3.1', 1, 4],
    ['3.2', 2, 1],
    ['3.3', 3, 9],
    ['3.8', 7, 130],
  ],
};

/** A maker of processors like AMD, with keys of its own. */
export class Amd {
  readonly ark: Authority;
  readonly ask: Authority;
  readonly roots: TrustedRoots['amd'];

  /** AMD's keys have 4096 bits, which take seconds to make. */
  constructor(rsaBits = 2048) {
    this.ark = issue({ name: 'ARK-Test', rsaBits, isIssuer: true });
    this.ask = issue({ name: 'SEV-Test', rsaBits, isIssuer: true, issuer: this.ark });
    this.roots = { roots: [this.ark.certificate], intermediates: [] };
  }

  processorKey(layout: Layout, name: 'SEV-VCEK' | 'SEV-VLEK' = 'SEV-VCEK'): Authority {
    const versions = parts[layout].map(
      ([id, , version]): Extension => ({ id: `${arc}.${id}`, value: integer(version) }),
    );
    const id = layout === 'turin' ? octets(chipId.subarray(0, 8)) : chipId;
    const extensions = [...versions, ...(name === 'SEV-VCEK' ? [{ id: `${arc}.4`, value: id }] : [])];
    return issue({ name, curve: 'P-384', issuer: this.ask, extensions });
  }
}

type Wanted = {
  readonly reportData: Buffer;
  readonly key: Authority;
  readonly layout?: Layout;
  readonly version?: number;
  readonly isDebug?: boolean;
  readonly chip?: Buffer;
  readonly change?: (report: Buffer) => void;
};

/** A report that the key signed. */
export function snpReport({ reportData, key, layout = 'milan', ...wanted }: Wanted): Buffer {
  const report = Buffer.alloc(1184);
  report.writeUInt32LE(wanted.version ?? 3, 0);
  report.writeBigUInt64LE(0x30000n | (wanted.isDebug === true ? 1n << 19n : 0n), 8);
  report.writeUInt32LE(1, 0x34);
  report.writeUInt32LE(key.name === 'SEV-VLEK' ? 1 << 2 : 0, 0x48);
  reportData.copy(report, 0x50);
  report.fill(9, 0x90, 0xc0);
  for (const [, at, version] of parts[layout]) report[0x180 + at] = version;
  const own = layout === 'turin' ? Buffer.concat([chipId.subarray(0, 8), Buffer.alloc(56)]) : chipId;
  (wanted.chip ?? own).copy(report, 0x1a0);
  wanted.change?.(report);
  const signature = sign('sha384', report.subarray(0, 0x2a0), {
    key: key.privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  signature.subarray(0, 48).reverse().copy(report, 0x2a0);
  signature
    .subarray(48)
    .reverse()
    .copy(report, 0x2a0 + 72);
  return report;
}

/** The certificate table that an extended report comes with. */
export function certificateTable(certificates: readonly Authority[]): Buffer {
  const blobs = certificates.map(({ certificate }) => certificate.raw);
  let offset = 24 * (blobs.length + 1);
  const entries = blobs.map((blob, i) => {
    const entry = Buffer.alloc(24, i + 1);
    entry.writeUInt32LE(offset, 16);
    entry.writeUInt32LE(blob.length, 20);
    offset += blob.length;
    return entry;
  });
  return Buffer.concat([...entries, Buffer.alloc(24), ...blobs]);
}
