import { QuoteVerifier } from '@phala/dcap-qvl';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verdictOf } from '@countersign/audit-log/verify/report';
import { Intel } from '../../test/intel.ts';
import { checkPolicy, policy } from '../policy.ts';
import { verifyDcap } from './verify.ts';

const intel = new Intel();
const now = new Date('2026-11-21T10:00:00Z');
const reportData = Buffer.alloc(64, 7);
const { certificate: root } = intel.root;

type Guest = {
  /** TEE_TCB_SVN: version of the module's security, of the module, of the microcode. */
  readonly svn?: readonly number[];
  /** TEE_TCB_SVN_2, which makes it a report of TDX 1.5. */
  readonly svn2?: readonly number[];
  readonly at?: number;
  readonly byte?: number;
};

function quoteOf({ svn = [], svn2, at, byte = 1 }: Guest): Buffer {
  const change = (report: Buffer) => {
    report.set(svn, 0);
    if (svn2 !== undefined) report.set(svn2, 584);
    if (at !== undefined) report[at] = byte;
  };
  return intel.quote({ version: 5, reportData, change, isTd15: svn2 !== undefined || (at ?? 0) >= 584 });
}

type Collateral = Parameters<Intel['collateral']>[1];

function judge(guest: Guest, collateral: Collateral = {}, allowed: unknown = {}) {
  const quote = quoteOf(guest);
  const evidence = {
    kind: 'dcap',
    quote,
    collateral: intel.collateral('tdx', collateral),
    eventLog: null,
  } as const;
  const { steps, signed } = verifyDcap(evidence, root, now);
  const all = [...steps, ...(signed === null ? [] : checkPolicy(signed, policy.parse(allowed), false))];
  return {
    tcb: signed?.tcb ?? null,
    said: all.map(({ what }) => what).join('\n'),
    verdict: verdictOf({ steps: all, isSimulated: false }),
  };
}

const [upToDate, outOfDate] = ['UpToDate', 'OutOfDate'];
const modules = [
  { id: 'TDX_03', levels: [[3, upToDate]] },
  {
    id: 'tdx_01',
    levels: [
      [6, upToDate],
      [4, outOfDate],
      [2, 'Revoked'],
    ],
  },
] as const;
/** The newest level asks for module 5, version 0 and microcode 3, as Intel writes it. */
const tdxSvn = [5, 0, 3];

describe('the TDX module', () => {
  test.each([
    ['is judged by its identity, not by the levels, where it has a version', [6, 1, 3], 'UpToDate'],
    ['makes the machine out of date when it is', [4, 1, 3], 'OutOfDate'],
    ['does not have to reach the levels with its own two numbers', [3, 3, 3], 'UpToDate'],
    ['without a version is judged by the levels', [5, 0, 3], 'UpToDate'],
    ['without a version and older is out of date by the levels', [4, 0, 3], 'OutOfDate'],
    ['that is new does not make up for old microcode', [6, 1, 2], 'OutOfDate'],
  ])('%s [vault.attestation.verify.tdx-module]', (_, svn, tcb) => {
    expect(judge({ svn }, { modules, tdxSvn }).tcb).toBe(tcb);
  });

  test.each([
    ['of a version that Intel does not tell', { svn: [6, 2, 3] }, 'does not know a TDX module of version 2'],
    ['older than any that Intel supports', { svn: [1, 1, 3] }, 'the TDX module is older'],
    ['that Intel revoked', { svn: [2, 1, 3] }, 'revoked'],
    ['that somebody else signed', { svn: [6, 1, 3], at: 64 }, 'MRSIGNERSEAM'],
    ['that runs with attributes', { svn: [6, 1, 3], at: 112 }, 'SEAMATTRIBUTES'],
    ['of version 0 that somebody else signed', { svn: [5, 0, 3], at: 111 }, 'MRSIGNERSEAM'],
  ])('%s is refused [vault.attestation.verify.tdx-module]', (_, guest, why) => {
    const { said, verdict } = judge(guest, { modules, tdxSvn });
    expect(said).toContain(why);
    expect(verdict).toBe('bad');
  });

  test('is the one that its own identity names the signer of', () => {
    const own = [{ ...modules[1], mrsigner: `01${'00'.repeat(47)}` }];
    expect(judge({ svn: [6, 1, 3], at: 64 }, { modules: own, tdxSvn }).tcb).toBe('UpToDate');
    expect(judge({ svn: [6, 1, 3] }, { modules: own, tdxSvn }).verdict).toBe('bad');
  });

  test.each([
    ['UpToDate', 'OutOfDate'],
    ['SWHardeningNeeded', 'OutOfDate'],
    ['ConfigurationNeeded', 'OutOfDateConfigurationNeeded'],
    ['ConfigurationAndSWHardeningNeeded', 'OutOfDateConfigurationNeeded'],
    ['OutOfDate', 'OutOfDate'],
    ['OutOfDateConfigurationNeeded', 'OutOfDateConfigurationNeeded'],
  ])('or quoting enclave that is out of date makes %s %s', (status, worse) => {
    expect(judge({ svn: [4, 1, 3] }, { modules, status }).tcb).toBe(worse);
    expect(judge({}, { enclave: 'OutOfDate', status }).tcb).toBe(worse);
  });

  test.each([
    ['has a newer one now', [6, 1, 3], 'UpToDate', 'TDRelaunchAdvised'],
    ['has a newer one of another version now', [3, 3, 3], 'UpToDate', 'TDRelaunchAdvised'],
    ['has one without a version now', [5, 0, 3], 'UpToDate', 'TDRelaunchAdvised'],
    ['needs to be configured, too', [6, 1, 3], 'ConfigurationNeeded', 'TDRelaunchAdvisedConfigurationNeeded'],
    ['has the same old one', [4, 1, 3], 'UpToDate', 'OutOfDate'],
    ['has old microcode', [6, 1, 2], 'UpToDate', 'OutOfDate'],
  ])('that was old when the guest started, on a machine that %s', (_, svn2, status, tcb) => {
    expect(judge({ svn: [4, 1, 3], svn2 }, { modules, tdxSvn, status }).tcb).toBe(tcb);
  });
});

describe('what its owner may choose', () => {
  test.each([
    ['sept-ve', { at: 123, byte: 0 }],
    ['migratable', { at: 123, byte: 0x30 }],
    ['service-td', { at: 647 }],
    ['unknown-attributes', { at: 125 }],
  ])(
    '%s is a step of our policy, not Intel’s, and may be allowed [vault.attestation.verify.guest-policy]',
    (name, guest) => {
      const refused = judge(guest);
      expect(refused.verdict).toBe('bad');
      expect(refused.said).toContain(`"allow": ["${name}"] in a --policy`);
      expect(refused.said).toContain('Intel’s collateral confirms the machine: UpToDate');
      expect(judge(guest, {}, { allow: [name] })).toMatchObject({ verdict: 'good' });
    },
  );
});

test('whether another guest serves it is not said where the report does not tell: that of TDX 1.0 [vault.attestation.verify.guest-policy]', () => {
  const old = judge({});
  expect(old.said).not.toContain('no other guest serves it');
  expect(old).toMatchObject({ verdict: 'good', said: expect.stringContaining('the quote does not say') });
  expect(judge({ svn2: [6, 1, 3] }).said).toContain('no other guest serves it');
});

test('where both know the rules, another reading of them comes to the same [vault.attestation.verify.collateral]', () => {
  const verifier = QuoteVerifier.newWithRootCa(root.raw);
  const other = (quote: Buffer, collateral: Collateral): string | null => {
    try {
      const given = intel.collateral('tdx', collateral);
      return verifier.verify(quote, given, now.getTime() / 1000).status;
    } catch {
      return null;
    }
  };
  const small = fc.integer({ min: 0, max: 3 });
  const status = fc.constantFrom(
    'UpToDate',
    'SWHardeningNeeded',
    'ConfigurationNeeded',
    'OutOfDate',
    'Revoked',
  );
  const enclave = fc.constantFrom('UpToDate', 'Revoked');
  fc.assert(
    fc.property(small, small, small, small, status, enclave, (a, b, c, d, status, enclave) => {
      const [guest, collateral] = [{ svn: [a, 0, b] }, { tdxSvn: [c, 0, d], status, enclave }];
      return judge(guest, collateral).tcb === other(quoteOf(guest), collateral);
    }),
    { numRuns: 60 },
  );
});
