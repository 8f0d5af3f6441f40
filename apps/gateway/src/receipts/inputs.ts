import { type Amount, decimalText, formatAmount, parseAmount, zero } from '@countersign/protocol/amount';
import { type Address, addressText } from '@countersign/protocol/address';
import { z } from 'zod';
import { cartPolicies, type PaymentPolicy } from '../config.ts';
import type { CallOutcome, MandatePort, StatePort } from '../ports.ts';

type MandateFound = Awaited<ReturnType<MandatePort['activeMandate']>>;

/** What of the configuration decides about payments, as JSON. */
export const configurationInput = (
  policy: PaymentPolicy,
  approvers: readonly Address[],
  confirmsOnChain: boolean,
) => ({
  tokens: policy.tokens,
  maxAmount: formatAmount(policy.maxAmount),
  maxUnmandatedAmount: formatAmount(policy.maxUnmandatedAmount),
  maxUnmandatedDaily: formatAmount(policy.maxUnmandatedDaily),
  maxValiditySeconds: policy.maxValiditySeconds,
  missingCart: {
    otherwise: policy.missingCart.otherwise,
    byService: Object.fromEntries(policy.missingCart.byService),
  },
  approvers,
  confirmsOnChain,
});

const amount = decimalText.transform((text) => parseAmount(text) as Amount);
/** The agent's own limit, as decimal text. */
export const readMaxAmount = amount.optional();
const cartPolicy = z.enum(cartPolicies);

/** Reads `configurationInput` back. */
export const readConfiguration = z
  .strictObject({
    tokens: z.array(
      z.strictObject({
        chainId: z.int(),
        address: addressText,
        symbol: z.string(),
        decimals: z.int().min(0).max(18),
        domain: z.strictObject({ name: z.string(), version: z.string() }),
      }),
    ),
    maxAmount: amount,
    maxUnmandatedAmount: amount,
    // Receipts from before there was one: the journal's answer, which counted it, is recorded beside.
    maxUnmandatedDaily: amount.default(zero),
    maxValiditySeconds: z.int(),
    missingCart: z.strictObject({ otherwise: cartPolicy, byService: z.record(z.string(), cartPolicy) }),
    approvers: z.array(addressText),
    confirmsOnChain: z.boolean(),
  })
  .transform(({ approvers, confirmsOnChain, missingCart, ...rest }) => {
    const byService = new Map(Object.entries(missingCart.byService));
    const policy: PaymentPolicy = { ...rest, missingCart: { otherwise: missingCart.otherwise, byService } };
    return { policy, approvers, confirmsOnChain };
  });

/** The mandate's terms as JSON, without the credential: that is an input of its own, and seldom changes. */
export function mandateInput(found: MandateFound): object {
  if (found.kind !== 'found') return found;
  const { credential: _, ...terms } = found.mandate;
  return {
    kind: found.kind,
    mandate: {
      ...terms,
      perTxLimit: formatAmount(terms.perTxLimit),
      totalBudget: formatAmount(terms.totalBudget),
      usedAmount: formatAmount(terms.usedAmount),
      remainingBudget: formatAmount(terms.remainingBudget),
    },
  };
}

/** Reads `mandateInput` back; the credential is put in by whoever has it. */
export const readMandate = z.union([
  z.strictObject({ kind: z.enum(['never', 'none', 'expired', 'unavailable', 'not-configured']) }),
  z.strictObject({
    kind: z.literal('found'),
    mandate: z.strictObject({
      id: z.string(),
      status: z.string(),
      perTxLimit: amount,
      totalBudget: amount,
      usedAmount: amount,
      remainingBudget: amount,
      expiresAt: z.string(),
    }),
  }),
]);

/** When the decision was made. */
export const clockInput = (at: number) => ({ decidedAt: new Date(at).toISOString() });
export const readClock = z.strictObject({ decidedAt: z.iso.datetime() });

/** Of the answer to a paid call, what its settlement is judged by; the goods themselves are nobody's business. */
export const settlementInput = (outcome: CallOutcome): object => ({
  kind: outcome.kind,
  ...('isError' in outcome && { isError: outcome.isError }),
  ...('settlement' in outcome && outcome.settlement !== undefined && { settlement: outcome.settlement }),
  ...('requirement' in outcome && { requirement: { error: errorOf(outcome.requirement) } }),
});

const errorOf = (requirement: unknown): unknown =>
  (requirement as { readonly error?: unknown } | null)?.error ?? null;

/** The signed payment stays in the journal: a copy of it would be one more place to steal it from. */
export const journalInput = (opened: Awaited<ReturnType<StatePort['openPayment']>>): object => ({
  kind: opened.kind,
  ...(opened.kind === 'known' && { nonce: opened.entry.nonce }),
});

export const earlierInput = (entry: Awaited<ReturnType<StatePort['paymentOf']>>): object | null =>
  entry === null ? null : { nonce: entry.nonce };

const nonce = z.string().transform((text) => text as `0x${string}`);
export const readNonce = nonce;
export const readEarlier = z.nullable(z.strictObject({ nonce }));
export const readJournal = z.union([
  z.strictObject({ kind: z.enum(['opened', 'over-budget', 'approval-used']) }),
  z.strictObject({ kind: z.literal('known'), nonce }),
]);
