import { secp256k1 as curve } from '@noble/curves/secp256k1';
import type { Secp256k1 } from '@countersign/service/ethereum/secp256k1';

const nobodySigns = (): never => {
  throw new Error('a verifier does not sign');
};

/** In the place of the service's, which is native or WebAssembly. */
export const secp256k1: Omit<Secp256k1, 'name'> = {
  sign: nobodySigns,
  publicKey: nobodySigns,
  recover(hash, compact, recovery) {
    try {
      const signature = curve.Signature.fromCompact(compact).addRecoveryBit(recovery);
      return signature.recoverPublicKey(hash).toRawBytes(false);
    } catch {
      return null;
    }
  },
};
