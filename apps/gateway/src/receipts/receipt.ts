import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { type GatewayCode, type Stage, stageOf, stages } from '@countersign/protocol/gateway/codes';
import { z } from 'zod';

/** Everything that a verdict can rest on, each recorded as it was really used. */
export const inputNames = [
  'agentStatement',
  'approval',
  'cancelled',
  'cart',
  'chainAllowance',
  'chainFound',
  'chainUsed',
  'clock',
  'configuration',
  'credential',
  'earlier',
  'hold',
  'journal',
  'mandate',
  'maxAmount',
  'nonce',
  'ownerKyt',
  'ownersContract',
  'payeeKyc',
  'payeeKyt',
  'payeesContract',
  'payerKyc',
  'payerKyt',
  'publicKey',
  'rejection',
  'requirement',
  'settlement',
  'unreadableDemand',
] as const;
export type InputName = (typeof inputNames)[number];

const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

const traceStep = z.strictObject({
  rule: z.string(),
  verdict: z.enum(['pass', 'skip', 'refuse', 'ask-owner', 'unknown']),
  /** A code or our own words, never another party's text. */
  why: z.string().optional(),
});
export type TraceStep = z.infer<typeof traceStep>;

const verdict = z.strictObject({
  stage: z.enum(stages),
  code: z.enum(Object.keys(stageOf) as [GatewayCode, ...GatewayCode[]]),
  paymentMade: z.boolean(),
});

/** Unix seconds; `transaction` only of a settled payment. */
const payment = z.strictObject({
  nonce: z.string(),
  validBefore: z.int(),
  transaction: z.string().optional(),
});

/** The inputs of one priced call's decision, its result, and the hash of the previous receipt. */
export const receipt = z.strictObject({
  v: z.literal('countersign-receipt-1'),
  receiptId: z.string(),
  /** From 1, without gaps. */
  seq: z.int().min(1),
  /** SHA-256 of the previous receipt's RFC 8785 text; 64 zeros in the first. */
  prev: sha256Hex,
  at: z.iso.datetime(),
  traceId: z.string(),
  agent: z.nullable(z.string()),
  serviceId: z.string(),
  toolName: z.string(),
  /** keccak256 of the RFC 8785 text of the arguments, as in an approval; the arguments themselves are not kept. */
  argumentsHash: z.string(),
  payer: z.string(),
  /** SHA-256 of each input's RFC 8785 text. */
  inputs: z.partialRecord(z.enum(inputNames), sha256Hex),
  trace: z.array(traceStep),
  verdict,
  payment: payment.optional(),
});
export type Receipt = z.infer<typeof receipt>;
export type Verdict = { readonly stage: Stage; readonly code: GatewayCode; readonly paymentMade: boolean };

/** The last line of an export: without it nobody could see that the newest receipt is missing. */
export const exportHead = z.strictObject({
  v: z.literal('countersign-receipt-head-1'),
  /** Number of the first receipt of this export. */
  first: z.int().min(1),
  /** Number and hash of the newest receipt; 0 and 64 zeros before there is one. */
  seq: z.int().min(0),
  hash: sha256Hex,
  /** Ed25519, 32 bytes, base64. */
  publicKey: z.string(),
  at: z.iso.datetime(),
});
export type ExportHead = z.infer<typeof exportHead>;

export const noReceiptHash = '0'.repeat(64);

/** A receipt before it has its place in the chain. */
export type ReceiptDraft = Omit<Receipt, 'v' | 'seq' | 'prev' | 'at'>;

/** RFC 8785 text and its hash. */
export type Recorded = { readonly text: string; readonly hash: string };

/** A record for the dashboard; `nonce` names the payment that it settles, if it settles one. */
export type Reported = { readonly report: TransactionReport; readonly nonce: string | null };

/** The chain of receipts, shared by all gateway processes on one state directory. */
export type ReceiptsPort = {
  /** The configuration that decides about payments, recorded once: it stays the same while the process lives. */
  readonly configuration: Recorded;
  /**
   * Signs the receipt and puts it at the end of the chain, its inputs beside it; the report that names it goes to the
   * outbox in the same step. Both are on disk when it resolves. Null when the receipt could not be written, which is
   * logged: the record of a payment must not be lost with its receipt. Throws when the report could not be written.
   */
  readonly append: (
    draft: ReceiptDraft,
    inputs: readonly NamedInput[],
    report: ((receiptHash: string | null) => Reported) | null,
  ) => Promise<{ readonly hash: string } | null>;
};

export type NamedInput = readonly [InputName, Recorded];
