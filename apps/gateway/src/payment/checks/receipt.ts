import type { GatewayPorts } from '../../ports/gateway-ports.ts';
import type { ToolCall } from '../../ports/tool-call.ts';
import type { CallOutcome } from '../../rules/call-outcome.ts';
import { findReceipt, type MerchantReceipt, wrong } from '../../rules/merchant-receipt.ts';
import type { Settlement } from '../../rules/settlement.ts';
import { isSignedBy } from '../../rules/signed-artifact.ts';
import type { Facts } from '../facts.ts';
import { signersFor } from './judge.ts';

type Paid = {
  readonly outcome: CallOutcome;
  readonly settlement: Settlement;
  /** Unix ms, of the decision. */
  readonly at: number;
  readonly again: boolean;
};

/**
 * What the service signed of a payment that has settled. Null where nothing has, where it signed no offer either, and where
 * offers are not looked at.
 */
export async function judgeReceipt(
  ports: Pick<GatewayPorts, 'policy' | 'chain'>,
  call: Pick<ToolCall, 'serviceId'>,
  { demand, payer }: Facts,
  { outcome, settlement, at, again }: Paid,
): Promise<MerchantReceipt | null> {
  if (ports.policy.offerSigners === null || settlement.kind !== 'settled') return null;
  const { transaction } = settlement;
  const found = findReceipt(outcome, { demand, payer, transaction, at, again });
  if (found.kind === 'missing' && demand.offer.kind === 'missing') return null;
  if (found.kind !== 'found') return found;
  const { admitted, contractSigned } = signersFor(ports, call, demand);
  return (await isSignedBy(found.signed, demand.payTo, admitted, contractSigned))
    ? { kind: 'verified' }
    : wrong('neither the payee nor a key in OFFER_SIGNERS signed the receipt');
}
