import type { ChainPort } from '../ports/chain.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import type { Demand } from '../rules/demand.ts';

/** Whether Permit2 may move the money. `approvalNonce`: of the approval that is signed with the payment; null: there is one. */
export type Allowance =
  | { readonly kind: 'allowed'; readonly approvalNonce: bigint | null }
  | { readonly kind: 'refused'; readonly code: 'PAYMENT_UNSUPPORTED'; readonly why: string };

type Asking = {
  readonly chain: Pick<ChainPort, 'permit2Standing'> | null;
  readonly wallet: Pick<GatewayPorts['wallet'], 'address'>;
};

/**
 * An allowance that is wide enough is left as it is: the owner gave it, perhaps for services that sponsor none. Where less stands, a
 * service that sponsors approvals gets one of exactly the amount, which takes the place of what stood; so none is ever wider than what
 * stood, or the price. Elsewhere an allowance has to be there. EIP-3009 needs none.
 */
export async function allowanceFor(
  { chain, wallet }: Asking,
  { by, token, units }: Pick<Demand, 'by' | 'token' | 'units'>,
): Promise<Allowance> {
  if (by.kind === 'eip3009') return { kind: 'allowed', approvalNonce: null };
  const about = { asset: token.address, payer: wallet.address };
  const said = (await chain?.permit2Standing(about)) ?? 'unknown';
  if (said === 'unknown')
    return refused(
      'EVM_RPC_URL gave no answer about the allowance of Permit2, without which nothing is signed for it; try again later',
    );
  if (BigInt(said.allowance) >= units) return { kind: 'allowed', approvalNonce: null };
  if (by.sponsored && said.approvalNonce !== null)
    return { kind: 'allowed', approvalNonce: BigInt(said.approvalNonce) };
  return refused(
    'this wallet has not allowed Permit2 to move so much, and no approval can be signed with the payment (eip2612GasSponsoring); the owner can approve Permit2 on the token for exactly this amount',
  );
}

const refused = (why: string): Allowance => ({ kind: 'refused', code: 'PAYMENT_UNSUPPORTED', why });
