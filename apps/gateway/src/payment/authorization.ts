import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import { type Permit2Authorization, permit2Address } from '@countersign/protocol/gateway/permit2';
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

const uint = (name: string) => ({ name, type: 'uint256' }) as const;
const account = (name: string) => ({ name, type: 'address' }) as const;

/** Permit2's `PermitWitnessTransferFrom` with the witness of x402: whom the money goes to and, of `upto`, who says how much. */
const permitHasher = (witness: readonly ReturnType<typeof uint | typeof account>[]) =>
  typedDataHasher('PermitWitnessTransferFrom', [
    { name: 'permitted', type: 'TokenPermissions', fields: [account('token'), uint('amount')] },
    account('spender'),
    uint('nonce'),
    uint('deadline'),
    { name: 'witness', type: 'Witness', fields: witness },
  ]);
const hashExact = permitHasher([account('to'), uint('validAfter')]);
const hashUpto = permitHasher([account('to'), account('facilitator'), uint('validAfter')]);

/** What a wallet signs to let a proxy of x402 move a token once, through Permit2: the only message in its domain that is signed. */
export function hashPermit2(authorization: Permit2Authorization, chainId: number): Uint8Array {
  const { permitted, spender, nonce, deadline, witness } = authorization;
  const { to, facilitator, validAfter } = witness;
  const hash = facilitator === undefined ? hashExact : hashUpto;
  return hash(
    { name: 'Permit2', chainId, verifyingContract: permit2Address },
    {
      permitted: { token: permitted.token, amount: BigInt(permitted.amount) },
      spender,
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
      witness: { to, ...(facilitator !== undefined && { facilitator }), validAfter: BigInt(validAfter) },
    },
  );
}

const hashPermit = typedDataHasher('Permit', [
  account('owner'),
  account('spender'),
  uint('value'),
  uint('nonce'),
  uint('deadline'),
]);

/** Lets Permit2 move so many units of this token (EIP-2612), where it has a signature for that too. */
export const hashApprovalOfPermit2 = (
  token: Token,
  { owner, value, nonce, deadline }: { owner: string; value: bigint; nonce: bigint; deadline: bigint },
): Uint8Array =>
  hashPermit(
    { ...token.domain, chainId: token.chainId, verifyingContract: token.address },
    { owner, spender: permit2Address, value, nonce, deadline },
  );
