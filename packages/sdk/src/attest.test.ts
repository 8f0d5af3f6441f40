import { reportDataOf } from '@countersign/audit-log/attestation';
import type { Attestation } from '@countersign/protocol/vault/attestation';
import type { VaultCode } from '@countersign/protocol/vault/codes';
import { expect, test } from 'vitest';
import { simulatedQuote } from '../../attestation/test/simulated.ts';
import { enclaveBehind, type Trust } from './attest.ts';

const keys = {
  auditPublicKey: Buffer.alloc(32, 1).toString('base64'),
  sealPublicKey: Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 2)]).toString('base64'),
};
const otherKey = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 3)]).toString('base64');
const program = `sim:${'ab'.repeat(32)}`;

function reportFor(nonce: string): Attestation {
  const reportData = reportDataOf({ ...keys, nonce });
  return {
    provider: 'simulated',
    hardware: false,
    quote: simulatedQuote(Buffer.from(reportData, 'hex')).toString('base64'),
    reportData,
    measurements: {},
    ...keys,
    nonce,
    createdAt: '2026-11-22T03:00:00.000Z',
  };
}

/** What an API process makes of the report on its way. */
type Change = (report: Attestation) => Attestation;

function sealKey(trust: Trust | undefined, change: Change = (report) => report) {
  const ask = async ({ query }: { query: { nonce: string } }) =>
    ({ kind: 'ok', asked: 'report', data: change(reportFor(query.nonce)) }) as const;
  return enclaveBehind<VaultCode>(ask, trust).sealKey();
}

test('an enclave without hardware gets a secret only where that was said to be enough [system.sdk.attested]', async () => {
  expect(await sealKey({ simulated: true })).toMatchObject({ kind: 'ok', data: keys.sealPublicKey });
  for (const trust of [undefined, {}, { simulated: false }, { measurements: { program: [program] } }])
    expect(await sealKey(trust)).toMatchObject({
      kind: 'failed',
      why: 'not-attested',
      because: expect.stringContaining('simulated'),
    });
});

test('only the program that was named gets a secret [system.sdk.attested]', async () => {
  const allowing = (...programs: string[]) =>
    sealKey({ simulated: true, measurements: { program: programs } });
  expect(await allowing(program)).toMatchObject({ kind: 'ok' });
  expect(await allowing(`sim:${'cd'.repeat(32)}`, program)).toMatchObject({ kind: 'ok' });
  expect(await allowing(`sim:${'cd'.repeat(32)}`)).toMatchObject({ kind: 'failed', why: 'not-attested' });
  expect(await sealKey({ simulated: true, measurements: { mrtd: ['ab'] } })).toMatchObject({
    why: 'not-attested',
  });
});

test('a key that the API process put in, an old report and a dressed-up one get nothing [system.sdk.attested]', async () => {
  const lies: readonly Change[] = [
    (report) => ({ ...report, sealPublicKey: otherKey }),
    (report) => ({
      ...report,
      sealPublicKey: otherKey,
      reportData: reportDataOf({ ...report, sealPublicKey: otherKey }),
    }),
    () => reportFor(''),
    () => reportFor('c0ffee'),
    (report) => ({ ...report, provider: 'tdx', hardware: true }),
    (report) => ({ ...report, hardware: true }),
    (report) => ({ ...report, quote: 'AAAA' }),
    (report) => ({ ...report, quote: `${report.quote.slice(0, -8)}AAAAAAA=` }),
  ];
  for (const lie of lies)
    expect(await sealKey({ simulated: true }, lie)).toMatchObject({ kind: 'failed', why: 'not-attested' });
});
