import { publicKeyOf, type Signer } from '@countersign/audit-log/keys';
import { crypto_sign_detached, crypto_sign_seed_keypair } from 'sodium-native';
import type { SecretMemory } from './secret-memory.ts';

/** Signs with the Ed25519 key of a seed of 32 bytes, twice as fast as Node does, from secret memory. */
export function seedSigner(seed: Buffer, memory: SecretMemory): Signer {
  const [rawPublicKey, made] = [Buffer.alloc(32), Buffer.alloc(64)];
  crypto_sign_seed_keypair(rawPublicKey, made, seed);
  const secretKey = memory.hold(made);
  const publicKey = publicKeyOf(rawPublicKey);
  if (publicKey === null) throw new Error('the key of this seed is none');
  return {
    publicKey,
    sign: (bytes) => {
      const signature = Buffer.alloc(64);
      crypto_sign_detached(signature, bytes, secretKey);
      return signature;
    },
  };
}
