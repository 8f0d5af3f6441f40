import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportDataOf } from '@countersign/audit-log/attestation';
import { exitCodes, verdictOf } from '@countersign/audit-log/verify/report';
import type { Attestation } from '@countersign/protocol/vault/attestation';
import { Amd, certificateTable, snpReport } from '../test/amd.ts';
import { Aws } from '../test/aws.ts';
import { Intel } from '../test/intel.ts';
import { simulatedQuote } from '../test/simulated.ts';
import type { TrustedRoots } from './evidence.ts';
import type { Policy } from './policy.ts';
import { attestationJson, attestationText } from './report.ts';
import { readSubject } from './subject.ts';
import { verifyAttestation } from './verify.ts';

const [intel, amd, aws] = [new Intel(), new Amd(), new Aws()];
const vcek = amd.processorKey('milan');
const roots: TrustedRoots = {
  intel: intel.root.certificate,
  amd: amd.roots,
  aws: aws.root.certificate.fingerprint256,
};
const now = new Date('2026-11-21T10:00:00Z');
const nonce = 'c0ffee';

const keys = {
  auditPublicKey: Buffer.alloc(32, 1).toString('base64'),
  sealPublicKey: Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 2)]).toString('base64'),
  nonce,
};
const reportData = Buffer.from(reportDataOf(keys), 'hex');

const report = (about: Partial<Attestation>): Attestation => ({
  provider: 'tdx',
  hardware: true,
  quote: '',
  reportData: reportData.toString('hex'),
  measurements: {},
  ...keys,
  createdAt: '2026-11-21T09:59:00.000Z',
  ...about,
});

const tdxQuote = intel.quote({ version: 4, reportData });
const collateral = intel.collateral('tdx');
const tdx = report({ quote: tdxQuote.toString('base64'), measurements: { collateral } });
const sgx = report({
  provider: 'gramine',
  quote: intel.quote({ version: 3, reportData }).toString('base64'),
  measurements: { collateral: JSON.stringify(intel.collateral('sgx')) },
});
const snp = report({
  provider: 'sev-snp',
  quote: snpReport({ reportData, key: vcek }).toString('base64'),
  measurements: { certificates: certificateTable([vcek, amd.ask]).toString('base64') },
});
const nitro = report({ provider: 'nitro', quote: aws.document({ userData: reportData }).toString('base64') });
const simulated = report({
  provider: 'simulated',
  hardware: false,
  quote: simulatedQuote(reportData).toString('base64'),
});

type Options = { readonly policy?: Policy; readonly nonce?: string | null };

function judge(input: object | Buffer, options: Options = {}) {
  const bytes = Buffer.isBuffer(input) ? input : Buffer.from(JSON.stringify(input));
  const subject = readSubject(bytes, { collateral: null, certificates: [], crls: [] });
  if (!subject.ok) return { verdict: 'bad', said: subject.error } as const;
  const judged = verifyAttestation(subject.value, { roots, policy: {}, nonce, now, ...options });
  return { verdict: verdictOf(judged), said: attestationText(judged), judged } as const;
}
const verdict = (...args: Parameters<typeof judge>) => judge(...args).verdict;

const allowed: readonly (readonly [string, Attestation, string, string])[] = [
  ['tdx', tdx, 'mrtd', '03'.repeat(48)],
  ['gramine', sgx, 'mrenclave', '01'.repeat(32)],
  ['sev-snp', snp, 'measurement', '09'.repeat(48)],
  ['nitro', nitro, 'pcr0', '05'.repeat(48)],
];

describe.each(allowed)('a report of %s', (_, whole, name, value) => {
  const policy = { measurements: { [name]: ['00', value] } };

  test('is good when quote, keys, nonce and measurement hold [vault.attestation.verify] [vault.attestation.verify.measurements]', () => {
    expect(judge(whole, { policy }).said).toContain(
      'GOOD: genuine hardware vouches for these keys and for the program that you allow',
    );
    expect(verdict(whole, { policy })).toBe('good');
  });

  test('is incomplete without an allow-list, and bad for another program [vault.attestation.verify.measurements]', () => {
    expect(verdict(whole)).toBe('incomplete');
    expect(verdict(whole, { policy: { measurements: { [name]: ['00'] } } })).toBe('bad');
    expect(verdict(whole, { policy: { measurements: { other: [value] } } })).toBe('bad');
    expect(verdict({ ...whole, measurements: { ...Object(whole.measurements), [name]: 'ff' } })).toBe('bad');
  });

  test('is bad with another key, nonce or report data than the quote was made over [vault.attestation.verify]', () => {
    const otherKey = Buffer.alloc(32, 9).toString('base64');
    const other = { ...keys, auditPublicKey: otherKey };
    for (const change of [
      { auditPublicKey: otherKey },
      { sealPublicKey: Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 3)]).toString('base64') },
      { nonce: 'c0ffef' },
      { reportData: reportDataOf(other) },
      { ...other, reportData: reportDataOf(other) },
    ])
      expect(verdict({ ...whole, ...change }, { policy })).toBe('bad');
    expect(verdict(whole, { policy, nonce: 'beef' })).toBe('bad');
    expect(judge(whole, { policy, nonce: null }).said).toContain('freshness was not checked');
  });

  test('is bad when it calls itself something else', () => {
    expect(verdict({ ...whole, hardware: false }, { policy })).toBe('bad');
    expect(verdict({ ...whole, provider: 'simulated', hardware: false }, { policy })).toBe('bad');
    expect(verdict({ ...whole, quote: simulated.quote }, { policy })).toBe('bad');
  });
});

test('a report of one kind of Intel TEE must not call itself another, and dstack’s needs its event log', () => {
  const policy = { measurements: { mrtd: ['03'.repeat(48)] } };
  expect(verdict({ ...tdx, provider: 'gramine' }, { policy })).toBe('bad');
  expect(verdict({ ...sgx, provider: 'tdx' })).toBe('bad');
  expect(verdict({ ...tdx, provider: 'dstack' }, { policy })).toBe('incomplete');
});

describe('a simulated report', () => {
  test('is never more than simulated, whatever it claims [vault.attestation.verify.exit-codes]', () => {
    expect(verdict(simulated)).toBe('simulated');
    expect(judge(simulated).said).toContain('SIMULATED');
    const policy = { measurements: { program: [`sim:${'ab'.repeat(32)}`] } };
    expect(verdict(simulated, { policy })).toBe('simulated');
    expect(verdict({ ...simulated, hardware: true })).toBe('bad');
    expect(verdict({ ...simulated, provider: 'tdx', hardware: true })).toBe('bad');
    expect(verdict(Buffer.from(simulated.quote, 'base64'), { nonce: null })).toBe('simulated');
  });

  test('is bad when any byte of its quote is another', () => {
    const quote = simulatedQuote(reportData);
    for (let at = 0; at < quote.length; at += 1) {
      const changed = Buffer.from(quote);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(verdict({ ...simulated, quote: changed.toString('base64') })).toBe('bad');
    }
  });
});

describe('bare evidence', () => {
  const bare = { nonce: null };

  test('is recognized as bytes and in hex, and its keys are told not to be checked [vault.attestation.verify.bare-evidence]', () => {
    for (const input of [tdxQuote, Buffer.from(`0x${tdxQuote.toString('hex')}\n`)]) {
      const { verdict, said } = judge(input, bare);
      expect(verdict).toBe('incomplete');
      expect(said).toContain('which keys it covers was not checked');
    }
    expect(verdict(aws.document(), bare)).toBe('good');
    expect(verdict(snpReport({ reportData, key: vcek }), bare)).toBe('incomplete');
  });

  test('of Nitro is found inside what tools wrap around it', () => {
    const wrapped = Buffer.concat([Buffer.from('0002bd46', 'hex'), aws.document(), Buffer.from('{"a":1}')]);
    expect(verdict(wrapped, bare)).toBe('good');
    expect(judge(wrapped, bare).said).toContain('11 bytes around the document');
    expect(verdict(aws.document({ nonce: Buffer.from(nonce, 'hex') }))).toBe('good');
    expect(verdict(aws.document({ nonce: Buffer.from('00', 'hex') }))).toBe('bad');
  });

  test('as dstack answers GetQuote is held against the report data beside it', () => {
    const reply = {
      quote: tdxQuote.toString('hex'),
      report_data: reportData.toString('hex'),
      vm_config: '{}',
    };
    expect(verdict({ ...reply, collateral }, bare)).toBe('good');
    expect(verdict(reply, bare)).toBe('incomplete');
    expect(verdict({ ...reply, report_data: 'ab' }, bare)).toBe('bad');
    expect(verdict({ ...reply, event_log: '[{}]' }, bare)).toBe('bad');
  });
});

describe('the policy', () => {
  const measurements = { mrtd: ['03'.repeat(48)] };

  test('accepts a machine that is out of date only when it says so', () => {
    const outdated = {
      ...tdx,
      measurements: { collateral: intel.collateral('tdx', { status: 'OutOfDate' }) },
    };
    expect(verdict(outdated, { policy: { measurements } })).toBe('incomplete');
    expect(verdict(outdated, { policy: { measurements, tcb: ['OutOfDate'] } })).toBe('good');
  });

  test('names the machines that are allowed', () => {
    expect(verdict(tdx, { policy: { measurements, platforms: ['aa'.repeat(16)] } })).toBe('good');
    expect(verdict(tdx, { policy: { measurements, platforms: ['bb'.repeat(16)] } })).toBe('bad');
    expect(verdict(simulated, { policy: { platforms: ['aa'] } })).toBe('incomplete');
  });
});

describe('any other input', () => {
  test('is bad, with a sentence', () => {
    for (const input of [
      '',
      '{',
      '{}',
      '[]',
      '{"attestation":null}',
      '{"quote":"zz"}',
      '{"quote":""}',
      'hello',
      'ab',
    ])
      expect(judge(Buffer.from(input))).toMatchObject({
        verdict: 'bad',
        said: expect.stringMatching(/\w{4}/),
      });
    for (const change of [
      { quote: '%' },
      { quote: 'QUJD' },
      { provider: 'tpm' },
      { reportData: '' },
      { nonce: 5 },
    ])
      expect(verdict({ ...tdx, ...change })).toBe('bad');
  });

  test('is judged in time however long it is', () => {
    const hex = 'ab'.repeat(3 * 2 ** 20);
    for (const input of [hex, JSON.stringify({ quote: hex }), `{"a":${'['.repeat(2 ** 20)}`])
      expect(verdict(Buffer.from(input))).toBe('bad');
  });

  test('never ends in an exception', () => {
    const starts = [
      tdxQuote,
      aws.document(),
      snpReport({ reportData, key: vcek }),
      simulatedQuote(reportData),
    ];
    const input = fc.tuple(fc.constantFrom(...starts), fc.nat(5000), fc.uint8Array({ maxLength: 300 }));
    fc.assert(
      fc.property(input, ([start, at, bytes]) => {
        const changed = Buffer.concat([
          start.subarray(0, at),
          Buffer.from(bytes),
          start.subarray(at + bytes.length),
        ]);
        return ['bad', 'incomplete', 'good', 'simulated'].includes(verdict(changed));
      }),
      { numRuns: 300 },
    );
    fc.assert(fc.property(fc.json({ maxDepth: 4 }), (text) => verdict(Buffer.from(text)) === 'bad'));
    expect(verdict(randomBytes(4096))).toBe('bad');
  });
});

test('the last line of an export and a bundle are read for their report', () => {
  const policy = { measurements: { mrtd: ['03'.repeat(48)] } };
  const lines = `${JSON.stringify({ seq: 1 })}\n${JSON.stringify({ checkpoint: '', tenantHead: {}, attestation: tdx })}\n`;
  expect(verdict(Buffer.from(lines), { policy })).toBe('good');
  expect(verdict({ anchor: null, attestation: tdx }, { policy })).toBe('good');
});

test('the result for programs is one line [vault.attestation.verify.exit-codes]', () => {
  const { judged } = judge(simulated);
  if (judged === undefined) throw new Error('not judged');
  expect(attestationJson(judged)).toMatch(/^\{"verdict":"simulated","exitCode":3,.*\}\n$/);
  expect(exitCodes).toEqual({ good: 0, bad: 1, incomplete: 2, simulated: 3 });
});
