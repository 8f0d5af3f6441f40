import type { Address } from '@countersign/protocol/address';
import { findSigner } from '@countersign/service/ethereum/wallet-signature';
import type { ChainPort } from '../ports/chain.ts';
import type { OwnerPort } from '../ports/owner.ts';
import { signedByKey } from '../rules/signed-by-key.ts';

/**
 * Judges the owner's signatures; a contract wallet is asked each time, because its word may change. Whether an address
 * is a contract is the node's word too: so nobody asks it any more once the owner's key has signed something.
 */
export function createOwner(address: Address, chain: Pick<ChainPort, 'signedByContract'> | null): OwnerPort {
  let isKey = false;
  return {
    address,
    isKey: () => isKey,
    async signed(hash, signature, chainId) {
      const isByKey = signedByKey(address, hash, signature);
      isKey ||= isByKey;
      if (isByKey) return true;
      if (isKey || chain === null) return false;
      return (await findSigner([address], hash, signature, chain.signedByContract(chainId))) !== null;
    },
  };
}
