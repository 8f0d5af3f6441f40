import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import type { Authorization } from '@countersign/protocol/gateway/x402';
import type { Token } from '../rules/tokens.ts';

const hashTransfer = typedDataHasher('TransferWithAuthorization', [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]);

/** What a wallet signs to let this token move (EIP-3009 `TransferWithAuthorization`, EIP-712). */
export function hashAuthorization(authorization: Authorization, token: Token): Uint8Array {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return hashTransfer(
    { ...token.domain, chainId: token.chainId, verifyingContract: token.address },
    {
      from,
      to,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce,
    },
  );
}
