import { createPrivateKey, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { fails, holds, told } from '@countersign/audit-log/verify/report';
import { canonicalText } from '@countersign/audit-log/chain';
import {
  simulatedQuote,
  simulatedQuotePrefix,
  simulatedQuoteSeed,
  type SimulatedQuote,
} from '@countersign/protocol/vault/simulated-quote';
import type { Evidence, Finding } from './evidence.ts';

const prefix = Buffer.from(simulatedQuotePrefix);

/** Returns whether these bytes say of themselves that no hardware made them. */
export const looksSimulated = (bytes: Buffer): boolean => bytes.subarray(0, prefix.length).equals(prefix);

/** Checks that a simulated quote is whole. It proves nothing, as anybody has its key. */
export function verifySimulated({ quote: bytes }: Extract<Evidence, { kind: 'simulated' }>): Finding {
  const quote = readQuote(bytes);
  if (quote === null || !isWhole(quote))
    return { steps: [fails('the simulated quote cannot be read, or was changed')], signed: null };
  const { reportData, measurement } = quote;
  return {
    steps: [
      holds('the simulated quote is intact'),
      told(
        'the TEE is SIMULATED: no hardware backs anything in this report, and anyone can make such a quote',
      ),
    ],
    signed: {
      reportData: Buffer.from(reportData, 'hex'),
      measurements: { program: measurement },
      platform: null,
      tcb: null,
      nonce: null,
      td: null,
      snp: null,
    },
  };
}

function readQuote(bytes: Buffer): SimulatedQuote | null {
  if (!looksSimulated(bytes)) return null;
  const text = bytes.toString('utf8', prefix.length);
  try {
    const parsed = simulatedQuote.safeParse(JSON.parse(text));
    return parsed.success && canonicalText(parsed.data) === text ? parsed.data : null;
  } catch {
    return null;
  }
}

const isWhole = ({ signature, ...quote }: SimulatedQuote): boolean =>
  verify(
    null,
    Buffer.from(simulatedQuotePrefix + canonicalText(quote)),
    publicKey(),
    Buffer.from(signature, 'base64'),
  );

/** RFC 8410: an Ed25519 private key is this and its seed. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const publicKey = (): KeyObject =>
  createPublicKey(
    createPrivateKey({
      key: Buffer.concat([pkcs8, Buffer.from(simulatedQuoteSeed, 'hex')]),
      format: 'der',
      type: 'pkcs8',
    }),
  );
