import { createPrivateKey, sign } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import { simulatedQuotePrefix, simulatedQuoteSeed } from '@countersign/protocol/vault/simulated-quote';

const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** What the simulated TEE of the enclave gives. */
export function simulatedQuote(reportData: Buffer): Buffer {
  const quote = { v: 1, reportData: reportData.toString('hex'), measurement: `sim:${'ab'.repeat(32)}` };
  const key = createPrivateKey({
    key: Buffer.concat([pkcs8, Buffer.from(simulatedQuoteSeed, 'hex')]),
    format: 'der',
    type: 'pkcs8',
  });
  const signature = sign(null, Buffer.from(simulatedQuotePrefix + canonicalText(quote)), key).toString(
    'base64',
  );
  return Buffer.from(simulatedQuotePrefix + canonicalText({ ...quote, signature }));
}
