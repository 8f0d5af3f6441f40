import { type Address, parseAddress, sameAddress } from '@countersign/protocol/address';
import { fromBaseUnits, parseAmount } from '@countersign/protocol/amount';
import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { intentMandateTypedData } from '@countersign/protocol/dashboard/mandate-credential';
import type { mandateRoutes } from '@countersign/protocol/dashboard/mandate-routes';
import { paymentMandateTypedData } from '@countersign/protocol/gateway/payment-mandate';
import type { BodyInputOf, DataOf } from '@countersign/protocol/route';
import { z } from 'zod';
import type { TypedData } from './wallet.ts';

/**
 * Validates data before it is signed. INVARIANT: a dashboard's request is untrusted; otherwise it could have
 * anything signed.
 */

export type Terms = BodyInputOf<typeof mandateRoutes.createMandate>;
export type Draft = Pick<DataOf<typeof mandateRoutes.createMandate>, 'mandate' | 'typedData'>;

const oneDayMs = 24 * 60 * 60 * 1000;

/** The mandate to sign; null when the draft says anything else than what was asked for. */
export function mandateToSign(
  draft: Draft,
  terms: Terms,
  payerAddress: Address,
  now: Date,
): TypedData | null {
  const { id, accountId, perTxLimit, totalBudget, expiresAt } = draft.mandate;
  const chainId = chainOf(draft.typedData);
  const isAsAsked =
    parseAmount(perTxLimit) === parseAmount(terms.perTxLimit) &&
    parseAmount(totalBudget) === parseAmount(terms.totalBudget) &&
    Date.parse(expiresAt) <= now.getTime() + (terms.validDays + 1) * oneDayMs;
  if (chainId === null || !isAsAsked) return null;
  return intentMandateTypedData({ id, accountId, payerAddress, perTxLimit, totalBudget, expiresAt }, chainId);
}

/** The payment to sign; null when it is another one than `approval` shows. */
export function paymentToSign(approval: Approval): TypedData | null {
  const message = paymentMandate.safeParse(approval.typedData.message);
  const chainId = chainOf(approval.typedData);
  if (chainId === null || !message.success || !saysTheSame(approval, message.data)) return null;
  return paymentMandateTypedData(message.data, chainId);
}

const chainOf = ({ domain }: Approval['typedData']): number | null =>
  typeof domain['chainId'] === 'number' ? domain['chainId'] : null;

const address = z.string().transform((text, context) => {
  const read = parseAddress(text);
  if (read === null) context.addIssue('must be an address');
  return read ?? z.NEVER;
});
const paymentMandate = z.strictObject({
  approvalId: z.string(),
  serviceId: z.string(),
  toolName: z.string(),
  argumentsHash: z.custom<`0x${string}`>((text) => typeof text === 'string' && /^0x[0-9a-f]{64}$/.test(text)),
  payer: address,
  payTo: address,
  asset: address,
  /** Token base units. */
  amount: z.string().regex(/^\d{1,24}$/),
  expiresAt: z.string(),
});

/** Decimals of USDC, the only token that gateways pay with. */
const decimals = 6;

const saysTheSame = (shown: Approval, signed: z.infer<typeof paymentMandate>): boolean =>
  (['approvalId', 'serviceId', 'toolName', 'argumentsHash', 'expiresAt'] as const).every(
    (field) => shown[field] === signed[field],
  ) &&
  (['payer', 'payTo', 'asset'] as const).every((party) => sameAddress(shown[party], signed[party])) &&
  shown.currency === 'USDC' &&
  parseAmount(shown.amount) === fromBaseUnits(BigInt(signed.amount), decimals);
