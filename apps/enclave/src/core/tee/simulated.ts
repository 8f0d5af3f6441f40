import { hash, randomBytes, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalText } from '@countersign/audit-log/chain';
import { privateKeyOfSeed } from '@countersign/audit-log/keys';
import { replaceFile } from '@countersign/audit-log/store/flush';
import { simulatedQuotePrefix, simulatedQuoteSeed } from '@countersign/protocol/vault/simulated-quote';
import type { TeeOptions, TeeProvider } from './provider.ts';

/** No hardware: the sealing secret lies in a file beside what it seals, and the quote's signing key is public. */
export function simulatedTee({ dir, program }: TeeOptions): TeeProvider {
  const measure = async () => `sim:${hash('sha256', await readFile(program))}`;
  return {
    kind: 'simulated',
    hardware: false,
    quote: async (reportData) => signedQuote(reportData, await measure()),
    measurements: async () => ({ program: await measure() }),
    sealingSecret: () => keptSecret(join(dir, 'simulated-tee')),
  };
}

function signedQuote(reportData: Uint8Array, measurement: string): Buffer {
  const quote = { v: 1, reportData: Buffer.from(reportData).toString('hex'), measurement };
  const signed = Buffer.from(simulatedQuotePrefix + canonicalText(quote));
  const key = privateKeyOfSeed(Buffer.from(simulatedQuoteSeed, 'hex'));
  const signature = sign(null, signed, key).toString('base64');
  return Buffer.from(simulatedQuotePrefix + canonicalText({ ...quote, signature }));
}

async function keptSecret(file: string): Promise<Buffer> {
  try {
    return Buffer.from(await readFile(file, 'utf8'), 'hex');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await replaceFile(file, randomBytes(32).toString('hex'));
  return keptSecret(file);
}
