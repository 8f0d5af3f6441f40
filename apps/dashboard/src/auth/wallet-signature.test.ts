import { randomBytes } from 'node:crypto';
import { addressOfPrivateKey, recoverSigner, signHash } from '@countersign/service/ethereum/signature';
import { expect, test } from 'vitest';
import type { Account } from '../accounts/account.ts';
import { signatureJudge } from './wallet-signature.ts';

const key = randomBytes(32);
const hash = randomBytes(32);
const signature = signHash(hash, key);
const stranger = signHash(hash, randomBytes(32));
const accountOf = (publicKey: string | null): Account => ({
  id: 'acc_1',
  walletAddress: addressOfPrivateKey(key),
  publicKey,
  createdAt: new Date(0),
  closedAt: null,
});
const person = accountOf(recoverSigner(hash, signature)?.publicKey ?? null);
const contract = accountOf(null);

test('a key signs for its own wallet, and no node is asked about it', async () => {
  const asked: string[] = [];
  const judge = signatureJudge(async (wallet) => asked.push(wallet) > 0);
  expect(await judge(person, hash, signature)).toBeNull();
  expect(await judge(person, hash, stranger)).toMatch(/not made by this account’s wallet/);
  expect(await judge(person, randomBytes(32), signature)).toMatch(/not made by this account’s wallet/);
  expect(asked).toEqual([]);
});

test('a contract says itself what it has signed; without a node to ask the refusal tells what is missing [dashboard.contract-wallet.no-node]', async () => {
  const says = (word: boolean) => signatureJudge(async () => word);
  expect(await says(true)(contract, hash, '0x1234')).toBeNull();
  expect(await says(false)(contract, hash, stranger)).toBe(
    'the signature was not made by this account’s wallet',
  );
  expect(await signatureJudge(null)(contract, hash, stranger)).toMatch(/EVM_RPC_URL/);
});
