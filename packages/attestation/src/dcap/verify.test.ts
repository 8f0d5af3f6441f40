import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verdictOf } from '@countersign/audit-log/verify/report';
import { issue } from '../../test/authority.ts';
import { Intel } from '../../test/intel.ts';
import type { Finding } from '../evidence.ts';
import { verifyDcap } from './verify.ts';

const intel = new Intel();
const now = new Date('2026-11-21T10:00:00Z');
const reportData = Buffer.from(hash('sha512', 'keys', 'hex'), 'hex');
const { certificate: root } = intel.root;

const judge = (quote: Buffer, collateral: unknown = null, at = now, eventLog: unknown = null): Finding =>
  verifyDcap({ kind: 'dcap', quote, collateral, eventLog }, root, at);
const verdict = (...args: Parameters<typeof judge>) => verdictOf({ ...judge(...args), isSimulated: false });
const said = (...args: Parameters<typeof judge>) =>
  judge(...args)
    .steps.map(({ what }) => what)
    .join('\n');

const versions = [
  [3, 'sgx'],
  [4, 'tdx'],
  [5, 'tdx'],
] as const;

describe.each(versions)('a DCAP quote of version %i (%s)', (version, tee) => {
  const quote = intel.quote({ version, reportData });
  const collateral = intel.collateral(tee);

  test('is good with collateral that is [vault.attestation.verify.quote-chain]', () => {
    expect(judge(quote, collateral).steps.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
    const { signed } = judge(quote, collateral);
    expect(signed).toMatchObject({ reportData, tcb: 'UpToDate', platform: 'aa'.repeat(16) });
    const [name, value] = tee === 'sgx' ? ['mrenclave', '01'.repeat(32)] : ['mrtd', '03'.repeat(48)];
    expect(signed?.measurements[name]).toBe(value);
  });

  test('is incomplete without collateral, and when that expired [vault.attestation.verify.collateral]', () => {
    expect(verdict(quote)).toBe('incomplete');
    expect(verdict(quote, collateral, new Date('2026-12-11T10:00:00Z'))).toBe('incomplete');
    expect(said(quote, collateral, new Date('2026-12-11T10:00:00Z'))).toContain('10 days ago');
    expect(verdict(quote, collateral, new Date('2026-10-11T10:00:00Z'))).toBe('incomplete');
  });

  test('is bad when any byte is another, with collateral, without and after it expired [vault.attestation.verify.quote-chain] [vault.attestation.verify.collateral]', () => {
    const position = fc.integer({ min: 0, max: quote.length - 1 });
    // Made a zero, each ends a line of the certificates for some readers all the same.
    const newlines = [...quote.keys()].filter((at) => quote[at] === 10);
    fc.assert(
      fc.property(position, fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, by, isGiven) => {
        const changed = Buffer.from(quote);
        changed[at] = (changed[at] ?? 0) ^ by;
        return verdict(changed, isGiven ? collateral : null) === 'bad';
      }),
      { numRuns: 300, examples: newlines.map((at) => [at, 10, true]) },
    );
  });

  test('is bad in debug mode [vault.attestation.verify.debug]', () => {
    const debug = intel.quote({ version, reportData, isDebug: true });
    expect(verdict(debug)).toBe('bad');
    expect(said(debug)).toContain('debug mode');
  });

  test('may be followed by zeros and nothing else, and must be whole', () => {
    expect(verdict(Buffer.concat([quote, Buffer.alloc(70)]), collateral)).toBe('good');
    expect(verdict(Buffer.concat([quote, Buffer.from([0, 1])]), collateral)).toBe('bad');
    for (let length = 0; length < quote.length; length += 97)
      expect(verdict(quote.subarray(0, length), collateral)).toBe('bad');
  });
});

describe('Intel’s collateral', () => {
  const quote = intel.quote({ version: 4, reportData });

  test('tells a machine that is out of date, and refuses one that is revoked', () => {
    expect(judge(quote, intel.collateral('tdx', { status: 'OutOfDate' })).signed?.tcb).toBe('OutOfDate');
    expect(verdict(quote, intel.collateral('tdx', { status: 'Revoked' }))).toBe('bad');
    expect(verdict(quote, intel.collateral('tdx', { revoked: [intel.pck] }))).toBe('bad');
    expect(said(quote, intel.collateral('tdx', { revoked: [intel.pck] }))).toContain('is revoked');
  });

  test('is refused when a revocation list or the TCB is signed by somebody else', () => {
    expect(verdict(quote, intel.collateral('tdx', { crlIssuer: new Intel().root }))).toBe('bad');
    const anyOfIntel = issue({ name: 'Intel SGX PCK Certificate', issuer: intel.root });
    expect(verdict(quote, intel.collateral('tdx', { signer: anyOfIntel }))).toBe('bad');
    expect(verdict(quote, new Intel().collateral('tdx'))).toBe('bad');
  });

  test('is refused when a byte of it is another, or it is for another kind of TEE', () => {
    const collateral = intel.collateral('tdx');
    for (const name of [
      'tcb_info',
      'qe_identity',
      'tcb_info_signature',
      'qe_identity_signature',
      'pck_crl',
    ] as const) {
      const text = collateral[name];
      const changed = text.replace(/\d(?=[^\d]*$)/, (digit) => (digit === '1' ? '2' : '1'));
      expect(verdict(quote, { ...collateral, [name]: changed })).toBe('bad');
    }
    expect(verdict(quote, intel.collateral('sgx'))).toBe('bad');
    for (const nonsense of [{}, 1, 'x', [], { ...collateral, pck_crl: 'zz' }])
      expect(verdict(quote, nonsense)).toBe('bad');
  });
});

test('a quote is refused whose chain is of somebody else, or led through a certificate that may not issue', () => {
  expect(verdict(new Intel().quote({ version: 4, reportData }))).toBe('bad');
  const stolen = issue({ name: 'Intel SGX PCK Certificate', issuer: intel.pck });
  expect(verdict(intel.quote({ version: 4, reportData, signer: stolen }))).toBe('bad');
});

describe('an event log of dstack', () => {
  const runTime = 0x0800_0001;
  const zeros: Buffer = Buffer.alloc(48);
  const extend = (register: Buffer, digest: string) =>
    hash('sha384', Buffer.concat([register, Buffer.from(digest, 'hex')]), 'buffer');
  const written = (event: string, payload: string, version?: 2) => {
    const bytes = Buffer.concat([
      Buffer.from('01000008', 'hex'),
      Buffer.from(`:${event}:`),
      Buffer.from(payload, 'hex'),
    ]);
    const canonical = `{"name":"${event}","payload":"${payload}","type":${runTime}}`;
    const digest = hash('sha384', version === 2 ? canonical : bytes);
    return {
      imr: 3,
      event_type: runTime,
      digest,
      event,
      event_payload: payload,
      ...(version && { version }),
    };
  };
  const measured = (imr: number, seed: string) => ({
    imr,
    event_type: 4,
    digest: hash('sha384', seed),
    event: '',
    event_payload: '',
  });
  const log = [
    measured(0, 'a'),
    measured(1, 'b'),
    measured(2, 'c'),
    measured(0, 'd'),
    written('app-id', 'ab12'),
    written('compose-hash', 'cd34', 2),
    written('compose-hash', 'ffff'),
  ];
  const rtmrs = [0, 1, 2, 3].map((imr) =>
    log
      .filter((event) => event.imr === imr)
      .reduce((register, { digest }) => extend(register, digest), zeros),
  );
  const quote = intel.quote({ version: 4, reportData, rtmrs });
  const collateral = intel.collateral('tdx');
  const withLog = (events: unknown) => verdict(quote, collateral, now, events);

  test('that gives the registers names the application; later events of its own do not', () => {
    expect(withLog(log)).toBe('good');
    expect(withLog(JSON.stringify(log))).toBe('good');
    const left = log.map((event) => (event.event_type === runTime ? { ...event, digest: '' } : event));
    expect(withLog(left)).toBe('good');
    const { signed } = judge(quote, collateral, now, log);
    expect(signed?.measurements).toMatchObject({ 'compose-hash': 'cd34', 'app-id': 'ab12' });
  });

  test('is bad with an event changed, dropped, added or in another place, and when it is none', () => {
    for (const [i, event] of log.entries()) {
      expect(withLog(log.with(i, { ...event, digest: hash('sha384', 'other') }))).toBe('bad');
      expect(withLog(log.toSpliced(i, 1))).toBe('bad');
    }
    for (const i of [4, 5, 6]) {
      expect(withLog(log.with(i, { ...log[i], event_payload: '00' } as (typeof log)[number]))).toBe('bad');
      expect(withLog(log.with(i, { ...log[i], digest: '', event: 'other' } as (typeof log)[number]))).toBe(
        'bad',
      );
    }
    for (const nonsense of ['', '[]', [], {}, 5, 'x', [{}], [{ ...log[0], imr: 4 }]])
      expect(withLog(nonsense)).toBe('bad');
  });
});
