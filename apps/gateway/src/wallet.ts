import { createHash, createHmac } from 'node:crypto';
import { addressOfPrivateKey, signHash } from '@countersign/service/ethereum/signature';
import type { Wallet } from './ports/wallet.ts';

/** The gateway's wallet. The key stays in this closure; nothing prints it. */
export function createWallet(privateKey: Uint8Array): Wallet {
  // A key of its own for nonces: an HMAC under the signing key itself would tie two uses together.
  const nonceKey = createHash('sha256').update('countersign-nonce-v1').update(privateKey).digest();
  return {
    address: addressOfPrivateKey(privateKey),
    sign: (hash) => signHash(hash, privateKey),
    derive: (text) => `0x${createHmac('sha256', nonceKey).update(text).digest('hex')}`,
  };
}
