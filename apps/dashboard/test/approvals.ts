import type { Address } from '@countersign/protocol/address';
import {
  type PaymentMandateMessage,
  paymentMandateTypedData,
} from '@countersign/protocol/gateway/payment-mandate';
import { chainId, newWallet, type Wallet } from './dashboard.ts';

let counter = 0;

/** Body of `POST /api/approvals`, as a gateway would ask; `change` is what the signed message says otherwise. */
export function askedOf(payer: Address, now: Date, change: Partial<PaymentMandateMessage> = {}) {
  const message: PaymentMandateMessage = {
    approvalId: `apr_${++counter}`,
    serviceId: 'reports',
    toolName: 'write_report',
    argumentsHash: `0x${'ab'.repeat(32)}`,
    payer,
    payTo: newWallet().address,
    asset: newWallet().address,
    amount: '5250000',
    expiresAt: new Date(now.getTime() + 15 * 60_000).toISOString(),
    ...change,
  };
  return {
    ...message,
    amount: '5.25',
    currency: 'USDC',
    reason: 'PER_TX_LIMIT_EXCEEDED',
    typedData: paymentMandateTypedData(message, chainId),
  };
}

/** The signature of `wallet` over what the dashboard shows it. */
export const signatureOf = (wallet: Wallet, { typedData }: { typedData: unknown }): string =>
  wallet.signTypedData(typedData);
