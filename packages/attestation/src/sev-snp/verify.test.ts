import { hash, type X509Certificate } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verdictOf } from '@countersign/audit-log/verify/report';
import { Amd, certificateTable, snpReport } from '../../test/amd.ts';
import { issue } from '../../test/authority.ts';
import { readCertificates } from '../certificates.ts';
import { vendorRoots } from '../roots.ts';
import { verifySevSnp } from './verify.ts';

const amd = new Amd(4096);
const vcek = amd.processorKey('milan');
const chain = [vcek, amd.ask].map(({ certificate }) => certificate);
const now = new Date('2026-11-21T10:00:00Z');
const reportData = hash('sha512', 'keys', 'buffer');
const report = snpReport({ reportData, key: vcek });

const judge = (report: Buffer, certificates: readonly X509Certificate[] = chain, at = now) =>
  verifySevSnp({ kind: 'sev-snp', report, certificates, crls: [] }, amd.roots, at);
const verdict = (...args: Parameters<typeof judge>) => verdictOf({ ...judge(...args), isSimulated: false });

describe('an SEV-SNP report', () => {
  test('is good with its chain up to the trusted root [vault.attestation.verify.quote-chain]', () => {
    expect(verdict(report)).toBe('good');
    expect(verdict(snpReport({ reportData, key: vcek, version: 2 }))).toBe('good');
    const { signed } = judge(report);
    expect(signed?.reportData).toEqual(reportData);
    expect(signed?.measurements).toMatchObject({ measurement: '09'.repeat(48) });
  });

  test('of a Turin, whose versions and chip id stand elsewhere, is good', () => {
    const key = amd.processorKey('turin');
    const turin = snpReport({ reportData, key, layout: 'turin' });
    expect(verdict(turin, [key.certificate, amd.ask.certificate])).toBe('good');
  });

  test('signed by a VLEK, which belongs to no chip, is good', () => {
    const key = amd.processorKey('milan', 'SEV-VLEK');
    expect(verdict(snpReport({ reportData, key }), [key.certificate, amd.ask.certificate])).toBe('good');
    expect(verdict(snpReport({ reportData, key }), chain)).toBe('bad');
  });

  test('is bad when any byte is another [vault.attestation.verify.quote-chain]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1183 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = Buffer.from(report);
        changed[at] = (changed[at] ?? 0) ^ by;
        return verdict(changed) === 'bad';
      }),
      { numRuns: 300 },
    );
    expect(verdict(report.subarray(1))).toBe('bad');
    expect(verdict(Buffer.concat([report, Buffer.alloc(1)]))).toBe('bad');
  });

  test('is bad when firmware version or chip is not that of the certificate, however it is signed', () => {
    for (const at of [0x180, 0x181, 0x186, 0x187, 0x1a0, 0x1df]) {
      const change = (bytes: Buffer) => bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at);
      expect(verdict(snpReport({ reportData, key: vcek, change }))).toBe('bad');
    }
    expect(verdict(snpReport({ reportData, key: vcek, chip: Buffer.alloc(64) }))).toBe('good');
  });

  test('is bad in debug mode [vault.attestation.verify.debug]', () => {
    expect(verdict(snpReport({ reportData, key: vcek, isDebug: true }))).toBe('bad');
  });

  test('is incomplete without a chain, and when that is not valid at the time', () => {
    expect(verdict(report, [])).toBe('incomplete');
    expect(verdict(report, chain, new Date('2051-01-01'))).toBe('incomplete');
  });

  test('is bad when its chain is of somebody else', () => {
    const other = new Amd();
    const key = other.processorKey('milan');
    const forged = snpReport({ reportData, key });
    expect(
      verdict(
        forged,
        [key, other.ask, other.ark].map(({ certificate }) => certificate),
      ),
    ).toBe('bad');
    expect(verdict(report, [amd.ask.certificate])).toBe('bad');
    const underAChip = issue({ name: 'SEV-VCEK', curve: 'P-384', issuer: vcek });
    const nested = snpReport({ reportData, key: underAChip });
    expect(
      verdict(
        nested,
        [underAChip, vcek, amd.ask].map(({ certificate }) => certificate),
      ),
    ).toBe('bad');
  });
});

describe('certificates', () => {
  test('are read from PEM, DER and the table of an extended report', () => {
    const names = (bytes: Buffer) => readCertificates(bytes)?.map(({ subject }) => subject) ?? null;
    const pem = Buffer.from(chain.map(String).join(''));
    expect(names(pem)).toEqual(['CN=SEV-VCEK', 'CN=SEV-Test']);
    expect(names(vcek.certificate.raw)).toEqual(['CN=SEV-VCEK']);
    expect(names(certificateTable([vcek, amd.ask, amd.ark]))).toEqual([
      'CN=SEV-VCEK',
      'CN=SEV-Test',
      'CN=ARK-Test',
    ]);
  });

  test('are none in bytes of any other kind', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 4096 }),
        (bytes) => readCertificates(Buffer.from(bytes)) === null,
      ),
    );
  });

  test('of AMD that are built in are those that it publishes, each ASK signed by its ARK', () => {
    const { roots, intermediates } = vendorRoots().amd;
    expect(roots.map(({ fingerprint256 }) => fingerprint256.slice(0, 11))).toEqual([
      '69:D0:63:B4',
      '4C:65:98:D1',
      '1F:08:41:61',
    ]);
    for (const [i, root] of roots.entries()) {
      expect(root.verify(root.publicKey)).toBe(true);
      expect(intermediates[i]?.verify(root.publicKey)).toBe(true);
    }
  });

  test('of Intel’s root is the one that Intel publishes', () => {
    expect(vendorRoots().intel.fingerprint256).toMatch(/^44:A0:19:6B:2B:99:F8:89:B8:E1:49:E9:5B:80:7A:35/);
  });
});
