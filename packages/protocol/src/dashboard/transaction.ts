import { z } from 'zod';
import { addressText } from '../address.ts';
import { decimalText, formatCents, parseAmount } from '../amount.ts';

export const serviceResult = z.enum(['pass', 'reject', 'error']);
export type ServiceResult = z.infer<typeof serviceResult>;

const bit = z.literal([0, 1], 'must be 1 (pass) or 0 (fail or unchecked)');
const risk = z.int().min(0).max(3);
const text = (max: number) => z.string().min(1).max(max);

/** The log's `amount` is decimal (18,2): 16 integer digits at most, after rounding. */
const loggedAmount = decimalText.refine((value) => {
  const amount = parseAmount(value);
  return amount === null || formatCents(amount).length <= 19;
}, 'must fit 16 digits before the point once rounded to two digits');

const screened = {
  payerKycResult: bit,
  payerKytResult: bit,
  payerKytRiskLevel: risk,
  payeeKycResult: bit,
  payeeKytResult: bit,
  payeeKytRiskLevel: risk,
};

/** Body of `POST /api/transactions` beside `apiKey` (spec: dashboard.transactions). Risk levels: `riskLevelNumber`. */
export const transactionReport = z.object({
  serviceName: text(64),
  serviceResult,
  /** As reported; the log stores it as `spelledChain` writes it. */
  chain: text(20),
  txHash: text(128).optional(),
  amount: loggedAmount.optional(),
  tokenSymbol: text(20).optional(),
  payer: addressText.optional(),
  payee: addressText.optional(),
  intentMandateId: z.string().min(1).max(64).optional(),
  ...z.object(screened).partial().shape,
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type TransactionReport = z.infer<typeof transactionReport>;

/** Whose word a record is, in it. */
const reportedBy = z.enum(['payer', 'payee', 'operator']);
/** `chain`: the dashboard has seen this very transfer itself. `no`: it has not, or does not look. */
const verified = z.enum(['chain', 'no']);

/** The reporter's metadata, truncated; null for the other party. `reason` is the code of the outcome. */
const noted = {
  toolName: z.nullable(z.string()),
  agent: z.nullable(z.string()),
  reason: z.nullable(z.string()),
};

/**
 * Something that happened to a payment: a record of it, with its result and reason, or the owner's decision, where
 * `reason` is what they wrote.
 */
const paymentStep = z.object({
  kind: z.enum(['record', 'approved', 'rejected']),
  result: z.nullable(serviceResult),
  reason: z.nullable(z.string()),
  at: z.iso.datetime(),
});
export type PaymentStep = z.infer<typeof paymentStep>;

/**
 * A record of the log as `GET /api/transactions` lists it: `amount` with two digits, `amountExact` as reported. The
 * screenings are those of one's own report or an operator's; of the other party's report they are null.
 */
export const transactionRecord = z.object({
  id: z.int(),
  serviceName: z.string(),
  serviceResult,
  chain: z.string(),
  txHash: z.nullable(z.string()),
  amount: z.nullable(z.string()),
  amountExact: z.nullable(z.string()),
  tokenSymbol: z.nullable(z.string()),
  payer: z.nullable(z.string()),
  payee: z.nullable(z.string()),
  payerKycResult: z.nullable(z.int()),
  payerKytResult: z.nullable(z.int()),
  payerKytRiskLevel: z.nullable(z.int()),
  payeeKycResult: z.nullable(z.int()),
  payeeKytResult: z.nullable(z.int()),
  payeeKytRiskLevel: z.nullable(z.int()),
  reportedBy,
  verified,
  ...noted,
  createdAt: z.iso.datetime(),
});
export type TransactionRecord = z.infer<typeof transactionRecord>;

/** A record with what only its reporter may see, which is null to the other party; an operator's is the payer's. */
export const wholeTransaction = transactionRecord.extend({
  metadata: z.nullable(z.record(z.string(), z.unknown())),
  intentMandateId: z.nullable(z.string()),
  /** The whole payment, oldest first: all that was recorded of it, and what the owner said. */
  steps: z.nullable(z.array(paymentStep)),
});
export type WholeTransaction = z.infer<typeof wholeTransaction>;

/** The totals of one group of transactions; a key is null unless transactions were grouped by it. */
export const transactionSum = z.object({
  month: z.nullable(z.string()).describe('YYYY-MM, in UTC'),
  wallet: z.nullable(addressText).describe('The account’s own wallet, or the agent’s'),
  counterparty: z.nullable(addressText).describe('Also null for transactions that name none'),
  tokenSymbol: z.nullable(z.string()),
  transactions: z.int(),
  amount: decimalText.describe('Exact, in whole tokens'),
  atomicAmount: z
    .nullable(z.string())
    .describe(
      'The same in the token’s smallest unit (USDC: one millionth); null for tokens whose unit is not known',
    ),
});
export type TransactionSum = z.infer<typeof transactionSum>;
