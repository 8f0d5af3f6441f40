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

/** Body of `POST /api/transactions` beside `apiKey` (document 2, endpoint 5). Risk levels: `riskLevelNumber`. */
export const transactionReport = z.object({
  serviceName: text(64),
  serviceResult,
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
  createdAt: z.iso.datetime(),
});
export type TransactionRecord = z.infer<typeof transactionRecord>;

/** A record with what only its reporter may see, which is null to the other party; an operator's is the payer's. */
export const wholeTransaction = transactionRecord.extend({
  metadata: z.nullable(z.record(z.string(), z.unknown())),
  intentMandateId: z.nullable(z.string()),
});
export type WholeTransaction = z.infer<typeof wholeTransaction>;
