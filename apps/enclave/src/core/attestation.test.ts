import { createPublicKey, hash, verify } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import { privateKeyOfSeed } from '@countersign/audit-log/keys';
import {
  simulatedQuote,
  simulatedQuotePrefix,
  simulatedQuoteSeed,
} from '@countersign/protocol/vault/simulated-quote';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningCore, startOnSocket } from '../../test/core-on-socket.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await startOnSocket();
});
afterAll(() => core.stop());

async function reportOf(nonce: string) {
  const answer = await core.client.call('report', { nonce });
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value.reply;
}

test('a report binds the keys and the nonce [vault.attestation.report-data] [vault.attestation.key-form]', async () => {
  const { auditPublicKey, sealPublicKey, nonce, reportData } = await reportOf('00ff');
  expect(nonce).toBe('00ff');
  expect(reportData).toBe(hash('sha512', canonicalText({ auditPublicKey, nonce, sealPublicKey })));
  expect(Buffer.from(auditPublicKey, 'base64')).toHaveLength(32);
  expect(Buffer.from(sealPublicKey, 'base64')).toHaveLength(65);
  expect((await reportOf('')).reportData).not.toBe(reportData);
});

test('a simulated quote says what it is in its first bytes, and anyone could have signed it [vault.tee.provider-gives]', async () => {
  const { quote, reportData, measurements } = await reportOf('');
  const bytes = Buffer.from(quote, 'base64');
  expect(bytes.toString('utf8', 0, simulatedQuotePrefix.length)).toBe(simulatedQuotePrefix);
  const { signature, ...rest } = simulatedQuote.parse(
    JSON.parse(bytes.toString('utf8', simulatedQuotePrefix.length)),
  );
  const signed = Buffer.from(simulatedQuotePrefix + canonicalText(rest));
  const key = createPublicKey(privateKeyOfSeed(Buffer.from(simulatedQuoteSeed, 'hex')));
  expect(verify(null, signed, key, Buffer.from(signature, 'base64'))).toBe(true);
  expect(rest.reportData).toBe(reportData);
  expect(measurements).toMatchObject({ program: rest.measurement });
});
