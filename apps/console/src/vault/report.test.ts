import { expect, test } from 'vitest';
import { toBase64, utf8 } from './bytes.ts';
import { checkReport } from './report.ts';

const nonce = 'ab'.repeat(32);
const [auditPublicKey, sealPublicKey] = ['YXVkaXQ=', 'c2VhbA=='];
/** sha512sum of {"auditPublicKey":"YXVkaXQ=","nonce":"abab…","sealPublicKey":"c2VhbA=="}. */
const reportData =
  '187786b66ebe5294cef360114861b843b638b0714aa3d8154fdc4dbc912cfa48' +
  '4f57d12a2c861e8ed1061ca1d0959955b3f762724d4c9df072da0584ae9410a7';
const base64 = (text: string) => toBase64(utf8(text));
const report = {
  provider: 'simulated' as const,
  hardware: false,
  quote: base64(`SIMULATED-TEE-NOT-HARDWARE\n{"reportData":"${reportData}"}`),
  reportData,
  measurements: {},
  auditPublicKey,
  sealPublicKey,
  nonce,
  createdAt: '2026-11-21T12:00:00.000Z',
};

test('a report whose quote is about its keys and our nonce holds, in text as in bytes', async () => {
  expect((await checkReport(report, nonce)).isBound).toBe(true);
  const bytes = new Uint8Array([
    ...utf8('quote'),
    ...(reportData.match(/../g) ?? []).map((hex) => Number.parseInt(hex, 16)),
    ...utf8('end'),
  ]);
  expect((await checkReport({ ...report, quote: toBase64(bytes) }, nonce)).isBound).toBe(true);
});

test.each([
  ['an old answer', { nonce: 'cd'.repeat(32) }, [false, true, true]],
  ['another sealing key', { sealPublicKey: 'b3RoZXI=' }, [true, false, false]],
  ['another audit key', { auditPublicKey: 'b3RoZXI=' }, [true, false, false]],
  ['a quote about something else', { quote: base64('quote') }, [true, true, false]],
  ['a quote that is no base64', { quote: '*' }, [true, true, false]],
])('%s does not hold', async (_, change, holds) => {
  const checked = await checkReport({ ...report, ...change }, nonce);
  expect(checked.isBound).toBe(false);
  expect(checked.checks.map((check) => check.holds)).toEqual(holds);
});
