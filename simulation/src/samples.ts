import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { PaymentPolicy } from '@countersign/gateway/rules/policy';
import { type Amount, formatAmount, toBaseUnits } from '@countersign/protocol/amount';
import {
  address,
  amount,
  merchant,
  owner,
  policy as samplePolicy,
  required,
  signedCart,
  signedMandate,
} from '../../apps/gateway/test/samples.ts';

export { amount, now as beginning } from '../../apps/gateway/test/samples.ts';

export const ownerKey = Buffer.from('11'.repeat(32), 'hex');
export const payer = address(owner);

/** In USDC: with budgets of a few of them, limits are met, passed by one payment, and missed by a little. */
export const prices = ['0.4', '0.6', '1', '1.2'] as const;
export const perTxLimit = '1';
export const budgets = ['1', '1.5', '2.2'] as const;
const usdcDecimals = 6;
const mandateIds = ['mdt_1', 'mdt_2'] as const;
export const validities = [10, 30, 60] as const;

export type Price = (typeof prices)[number];

export const policy: PaymentPolicy = {
  ...samplePolicy,
  maxUnmandatedDaily: amount('1.5'),
};

/** Everything that somebody signs with a key of worth to nobody, signed once: a seed has no time for it. */
export type Signed = {
  /** What the dashboard gives as a mandate's credential, by `mandateName`. */
  readonly credentials: ReadonlyMap<string, unknown>;
  /** What the merchant asks for, by `demandName`. */
  readonly demands: ReadonlyMap<string, object>;
  readonly receiptKey: KeyObject;
  readonly merchantKey: string;
};

export const mandateName = (id: string, budget: string): string => `${id} ${budget}`;
export const demandName = (price: string, hasCart: boolean, seconds: number): string =>
  `${price} ${hasCart} ${seconds}`;

export const expiresAt = '2026-12-21T12:00:00.000Z';

export async function signAll(): Promise<Signed> {
  const credentials = new Map<string, unknown>();
  for (const id of mandateIds)
    for (const totalBudget of budgets) {
      const { credential } = await signedMandate({}, { id, perTxLimit, totalBudget, expiresAt });
      credentials.set(mandateName(id, totalBudget), credential);
    }
  const demands = new Map<string, object>();
  for (const price of prices) {
    const cartMandate = await signedCart({ total_amount: price });
    for (const seconds of validities)
      for (const hasCart of [true, false]) {
        const asked = {
          amount: String(toBaseUnits(amount(price), usdcDecimals)),
          maxTimeoutSeconds: seconds,
        };
        demands.set(demandName(price, hasCart, seconds), required(asked, hasCart ? { cartMandate } : {}));
      }
  }
  return { credentials, demands, receiptKey: receiptKey(), merchantKey: merchant.publicKey };
}

/** The same in every run, so that a run can be compared with another. */
function receiptKey(): KeyObject {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]);
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
}

export const text = (value: bigint): string => formatAmount(value as Amount);
