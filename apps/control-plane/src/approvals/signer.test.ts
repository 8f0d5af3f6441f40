import { type Decided, decisionTypedData } from '@countersign/protocol/control/decision';
import type { TypedDataDefinition } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { signerOf } from './signer.ts';

const decided: Decided = {
  executionId: '6f1c3f0e-8f0a-4b3a-9a3e-0d7f5f6f1a11',
  policyId: 'payments',
  policyVersion: 3,
  service: 'bank',
  action: 'pay',
  paramsHash: `sha256:${'ab'.repeat(32)}`,
  decision: 'approve',
};
const wallet = privateKeyToAccount(generatePrivateKey());
/** As a wallet signs it: by an implementation that is not ours. */
const sign = (what: Decided) => {
  const typedData: unknown = decisionTypedData(what);
  return wallet.signTypedData(typedData as TypedDataDefinition);
};

test('recovers the wallet that signed, and of any other decision another [control-plane.hitl.decision]', async () => {
  const signature = await sign(decided);
  expect(signerOf(decided, signature)).toBe(wallet.address);
  const others: Partial<Decided>[] = [
    { decision: 'deny' },
    { executionId: '6f1c3f0e-8f0a-4b3a-9a3e-0d7f5f6f1a12' },
    { policyId: 'other' },
    { policyVersion: 4 },
    { service: 'shop' },
    { action: 'refund' },
    { paramsHash: `sha256:${'cd'.repeat(32)}` },
  ];
  for (const other of others) expect(signerOf({ ...decided, ...other }, signature)).not.toBe(wallet.address);
});

test('takes no other spelling of a signature: high s, v of 0 or 1, or none at all', async () => {
  const signature = await sign(decided);
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const highS = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
  const v = signature.endsWith('1b') ? '1c' : '1b';
  expect(signerOf(decided, `${signature.slice(0, 66)}${highS}${v}`)).toBeNull();
  expect(signerOf(decided, `${signature.slice(0, 130)}${v === '1b' ? '01' : '00'}`)).toBeNull();
  expect(signerOf(decided, `0x${'00'.repeat(65)}`)).toBeNull();
});
