import { type Amount, decimalText, formatAmount, parseAmount, zero } from '@countersign/protocol/amount';
import { type Address, addressText } from '@countersign/protocol/address';
import { z } from 'zod';
import { cartPolicies, type PaymentPolicy, transferMethods } from '../rules/policy.ts';
import type { CallOutcome } from '../rules/call-outcome.ts';
import type { HoldAnswer, MandatePort } from '../ports/dashboard.ts';
import type { PaymentEntry } from '../ports/payment-entry.ts';
import type { StatePort } from '../ports/state.ts';

type MandateFound = Awaited<ReturnType<MandatePort['activeMandate']>>;

/** Returns the part of the configuration that payment decisions depend on, as JSON. */
export const configurationInput = (
  policy: PaymentPolicy,
  approvers: readonly Address[],
  confirmsOnChain: boolean,
  owner: Address | null = null,
) => ({
  tokens: policy.tokens,
  maxAmount: formatAmount(policy.maxAmount),
  maxUnmandatedAmount: formatAmount(policy.maxUnmandatedAmount),
  maxUnmandatedDaily: formatAmount(policy.maxUnmandatedDaily),
  maxValiditySeconds: policy.maxValiditySeconds,
  ...(policy.methods.length > 0 && { methods: policy.methods }),
  missingCart: {
    otherwise: policy.missingCart.otherwise,
    byService: Object.fromEntries(policy.missingCart.byService),
  },
  ...(policy.offerSigners !== null && { offerSigners: Object.fromEntries(policy.offerSigners) }),
  approvers,
  confirmsOnChain,
  ...(owner !== null && { owner }),
});

const amount = decimalText.transform((text) => parseAmount(text) as Amount);
/** The agent's own limit, as decimal text. */
export const readMaxAmount = amount.optional();
const cartPolicy = z.enum(cartPolicies);
const offerSigner = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('address'), address: addressText }),
  z.strictObject({ kind: z.literal('ed25519'), key: z.string().regex(/^[0-9a-f]{64}$/) }),
]);

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
    /** Absent where money moves by EIP-3009 alone. */
    methods: z.array(z.enum(transferMethods)).default([]),
    missingCart: z.strictObject({ otherwise: cartPolicy, byService: z.record(z.string(), cartPolicy) }),
    /** Receipts from before offers were judged have none. */
    offerSigners: z.record(z.string(), z.array(offerSigner)).optional(),
    approvers: z.array(addressText),
    confirmsOnChain: z.boolean(),
    /** Whose agent the payer is; absent: its own. */
    owner: addressText.optional(),
  })
  .transform(({ approvers, confirmsOnChain, missingCart, offerSigners, owner = null, ...rest }) => {
    const byService = new Map(Object.entries(missingCart.byService));
    const policy: PaymentPolicy = {
      ...rest,
      missingCart: { otherwise: missingCart.otherwise, byService },
      offerSigners: offerSigners === undefined ? null : new Map(Object.entries(offerSigners)),
    };
    return { policy, approvers, confirmsOnChain, owner };
  });

/** The mandate's terms as JSON, without credential and statement: those are inputs of their own, and seldom change. */
export function mandateInput(found: MandateFound): object {
  if (found.kind !== 'found') return { kind: found.kind };
  const { credential: _, statement: __, ...terms } = found.mandate;
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

/** Answers of the owner's contract wallet, by the hash it was asked about, in hex. */
export const readOwnersContract = z.record(z.string(), z.boolean());

/** Answers of payees' contract wallets about an offer or receipt, by address and hash. */
export const readPayeesContract = z.record(z.string(), z.boolean());
export const contractQuestion = (wallet: Address, hash: Uint8Array): string =>
  `${wallet} ${Buffer.from(hash).toString('hex')}`;

/** When the decision was made. */
export const clockInput = (at: number) => ({ decidedAt: new Date(at).toISOString() });
export const readClock = z.strictObject({ decidedAt: z.iso.datetime() });

/**
 * Returns the part of a paid call's answer from which settlement is judged. The content itself is left out.
 */
export const settlementInput = (outcome: CallOutcome): object => ({
  kind: outcome.kind,
  ...('isError' in outcome && { isError: outcome.isError }),
  ...('settlement' in outcome && outcome.settlement !== undefined && { settlement: outcome.settlement }),
  ...('requirement' in outcome && { requirement: { error: errorOf(outcome.requirement) } }),
});

const errorOf = (requirement: unknown): unknown =>
  (requirement as { readonly error?: unknown } | null)?.error ?? null;

/** Returns a hold's input: its expiry decides nothing about its own call. */
export const holdInput = (hold: HoldAnswer): object => (hold.kind === 'held' ? { kind: hold.kind } : hold);

/** The signed payment stays in the journal: a copy of it would be one more place to steal it from. */
export const journalInput = (opened: Awaited<ReturnType<StatePort['openPayment']>>): object => ({
  kind: opened.kind,
  ...(opened.kind === 'known' && namesOf(opened.entry)),
});

/** The same of a payment that is sent again; null, and in no receipt, when it is given up. */
export const knownInput = (entry: Awaited<ReturnType<StatePort['findKnown']>>): object | null =>
  entry === null ? null : journalInput({ kind: 'known', entry });

export const earlierInput = (entry: Awaited<ReturnType<StatePort['paymentOf']>>): object | null =>
  entry === null ? null : namesOf(entry);

const namesOf = ({ nonce, decision }: PaymentEntry): object => ({
  nonce,
  ...(decision !== undefined && { decision }),
});

const nonce = z.string().transform((text) => text as `0x${string}`);
export const readNonce = nonce;
const names = { nonce, decision: nonce.optional() };
export const readEarlier = z.nullable(z.strictObject(names));
export const readJournal = z.union([
  z.strictObject({ kind: z.enum(['opened', 'over-budget', 'approval-used']) }),
  z.strictObject({ kind: z.literal('known'), ...names }),
]);
