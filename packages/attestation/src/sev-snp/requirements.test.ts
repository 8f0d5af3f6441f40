import { hash, type X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verdictOf } from '@countersign/audit-log/verify/report';
import { Amd, snpReport } from '../../test/amd.ts';
import { type Authority, issue, revocationList } from '../../test/authority.ts';
import { readCrl } from '../crl.ts';
import { checkPolicy, policy } from '../policy.ts';
import { vendorRoots } from '../roots.ts';
import { verifySevSnp } from './verify.ts';

const [amd, other] = [new Amd(), new Amd()];
const vcek = amd.processorKey('milan');
const now = new Date('2026-11-21T10:00:00Z');
const reportData = hash('sha512', 'keys', 'buffer');

type Options = {
  readonly change?: (report: Buffer) => void;
  readonly crls?: readonly Buffer[];
  readonly certificates?: readonly X509Certificate[];
  readonly key?: Authority;
};

function judge(required: unknown, { change = () => {}, crls = [], certificates, key = vcek }: Options = {}) {
  const evidence = {
    kind: 'sev-snp',
    report: snpReport({ reportData, key, change }),
    certificates: certificates ?? [key, amd.ask].map(({ certificate }) => certificate),
    crls: crls.flatMap((bytes) => readCrl(bytes) ?? []),
  } as const;
  const { steps, signed } = verifySevSnp(evidence, amd.roots, now);
  const all = [...steps, ...(signed === null ? [] : checkPolicy(signed, policy.parse(required), false))];
  return {
    verdict: verdictOf({ steps: all, isSimulated: false }),
    said: all.map(({ what }) => what).join('\n'),
  };
}

describe('what a reader requires of an SEV-SNP guest', () => {
  test.each([
    [{ minFirmware: { bootLoader: 4, snp: 23, microcode: 213 } }, 'good'],
    [{ minFirmware: { microcode: 214 } }, 'bad'],
    [{ minFirmware: { snp: 24 } }, 'bad'],
    [{ minFirmware: { fmc: 1 } }, 'incomplete'],
    [{ maxVmpl: 1 }, 'good'],
    [{ maxVmpl: 0 }, 'bad'],
    [{ guestPolicy: { smt: true, migration: false } }, 'good'],
    [{ guestPolicy: { smt: false } }, 'bad'],
    [{ guestPolicy: { singleSocket: true } }, 'bad'],
  ])('%j is %s [vault.attestation.verify.snp-requirements]', (snp, verdict) => {
    const change = (report: Buffer) => report.writeUInt32LE(1, 0x30);
    expect(judge({ snp }, { change }).verdict).toBe(verdict);
  });

  test('is told where nobody requires it', () => {
    const change = (report: Buffer) => report.writeBigUInt64LE(0x70000n, 8);
    const { verdict, said } = judge({}, { change });
    expect(verdict).toBe('good');
    expect(said).toContain('a migration agent moves it');
  });
});

describe('AMD’s revocation list', () => {
  const [from, to] = [new Date('2026-11-01'), new Date('2026-12-01')];
  const listOf = (issuer: Authority, revoked: readonly Authority[], until = to) =>
    revocationList(
      issuer,
      revoked.map(({ certificate }) => certificate),
      from,
      until,
    );

  test.each([
    ['names nobody here', [listOf(amd.ark, [other.ask])], 'good'],
    ['names the issuer', [listOf(amd.ark, [amd.ask])], 'bad'],
    ['names the processor', [listOf(amd.ark, [vcek])], 'bad'],
    ['expired', [listOf(amd.ark, [], new Date('2026-11-10'))], 'incomplete'],
    ['is of somebody else', [listOf(other.ark, [])], 'incomplete'],
    ['is one of two', [listOf(other.ark, []), listOf(amd.ark, [amd.ask])], 'bad'],
  ])('that %s [vault.attestation.verify.snp-revocation]', (_, crls, verdict) => {
    expect(judge({}, { crls }).verdict).toBe(verdict);
  });
});

describe('a VLEK', () => {
  test('has its issuer built in for each generation', () => {
    const { roots, intermediates } = vendorRoots().amd;
    const names = intermediates.map(({ subject }) => /CN=(.*)/.exec(subject)?.[1]);
    expect(names).toEqual(
      ['SEV-', 'SEV-VLEK-'].flatMap((kind) => ['Milan', 'Genoa', 'Turin'].map((name) => kind + name)),
    );
    const issuedBy = intermediates.map((one) =>
      roots.findIndex((root) => one.checkIssued(root) && one.verify(root.publicKey)),
    );
    expect(issuedBy).toEqual([0, 1, 2, 0, 1, 2]);
  });

  test('whose issuer nobody has is incomplete, not forged [vault.attestation.verify.vlek]', () => {
    const unknown = issue({ name: 'SEV-VLEK-Next', rsaBits: 2048, isIssuer: true, issuer: amd.ark });
    const key = issue({ name: 'SEV-VLEK', curve: 'P-384', issuer: unknown });
    const { verdict, said } = judge({}, { key, certificates: [key.certificate] });
    expect(verdict).toBe('incomplete');
    expect(said).toContain(
      'SEV-VLEK-Next, which issued its VLEK, is neither built in nor among the certificates',
    );
  });

  test('that says it is of an issuer who did not sign it is forged', () => {
    const pretender = issue({ name: 'SEV-Test', rsaBits: 2048, isIssuer: true });
    const key = issue({ name: 'SEV-VLEK', curve: 'P-384', issuer: pretender });
    expect(judge({}, { key, certificates: [key.certificate, amd.ask.certificate] }).verdict).toBe('bad');
  });
});
