import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verdictOf } from '@countersign/audit-log/verify/report';
import { issue } from '../../test/authority.ts';
import { Aws } from '../../test/aws.ts';
import { vendorRoots } from '../roots.ts';
import { verifyNitro } from './verify.ts';

const aws = new Aws();
const now = new Date('2026-11-21T10:00:00Z');
const userData = hash('sha512', 'keys', 'buffer');
const document = aws.document({ userData, nonce: Buffer.from('abcd', 'hex') });

const judge = (document: Buffer, at = now, root = aws.root.certificate.fingerprint256) =>
  verifyNitro({ kind: 'nitro', document, around: 0 }, root, at);
const verdict = (...args: Parameters<typeof judge>) => verdictOf({ ...judge(...args), isSimulated: false });

describe('a Nitro document', () => {
  test('is good with its chain from the pinned root, tagged or not [vault.attestation.verify.quote-chain]', () => {
    expect(verdict(document)).toBe('good');
    expect(verdict(Buffer.concat([Buffer.from([0xd2]), document]))).toBe('good');
    const { signed } = judge(document);
    expect(signed).toMatchObject({ reportData: userData, nonce: 'abcd', platform: 'i-1-enc1' });
    expect(signed?.measurements).toEqual({ pcr0: '05'.repeat(48), pcr1: '06'.repeat(48) });
  });

  test('is bad when any byte is another [vault.attestation.verify.quote-chain]', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: document.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, by) => {
          const changed = Buffer.from(document);
          changed[at] = (changed[at] ?? 0) ^ by;
          return verdict(changed) === 'bad';
        },
      ),
      { numRuns: 300 },
    );
    for (let length = 0; length < document.length; length += 41)
      expect(verdict(document.subarray(0, length))).toBe('bad');
    expect(verdict(Buffer.concat([document, Buffer.alloc(1)]))).toBe('bad');
  });

  test('is incomplete once its certificate expired, and good as of its own time', () => {
    const later = judge(document, new Date('2026-11-22T10:00:00Z'));
    expect(verdictOf({ ...later, isSimulated: false })).toBe('incomplete');
    expect(later.steps.map(({ what }) => what).join()).toContain('--at 2026-11-21T09:30:00.000Z');
    expect(verdict(document, new Date('2026-11-21T09:30:00.000Z'))).toBe('good');
  });

  test('is bad in debug mode, in which its registers are zero [vault.attestation.verify.debug]', () => {
    expect(verdict(aws.document({ pcr0: Buffer.alloc(48) }))).toBe('bad');
  });

  test('is bad when it was made before its certificate, or signed by somebody else', () => {
    expect(verdict(aws.document({ at: new Date('2026-11-21T08:00:00Z') }))).toBe('bad');
    expect(verdict(new Aws().document())).toBe('bad');
    expect(verdict(document, now, vendorRoots().aws)).toBe('bad');
    const below = issue({ name: 'i-2', curve: 'P-384', issuer: aws.leaf });
    expect(verdict(aws.document({ signer: below }))).toBe('bad');
  });

  test('is bad when fields are missing or of another kind, and claims of a size reserve nothing', () => {
    const others = [
      { module_id: 5 },
      { digest: 'SHA256' },
      { timestamp: -1 },
      { timestamp: 'now' },
      { pcrs: new Map([[0, Buffer.alloc(3)]]) },
      { pcrs: {} },
      { cabundle: [] },
      { certificate: Buffer.alloc(9) },
      { user_data: 'text' },
    ];
    for (const other of others) expect(verdict(aws.document({ other }))).toBe('bad');
    // An array of 2^31 elements, in five bytes.
    const huge = Buffer.from('8444a1013822a0459a7fffffff', 'hex');
    expect(verdict(Buffer.concat([huge, Buffer.from('5860', 'hex'), Buffer.alloc(96)]))).toBe('bad');
  });
});
