import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import type { StoredApproval } from '../rules/approval.ts';
import type { Budget } from '../rules/budget.ts';
import type { CallsState } from './calls.ts';
import type { Asker, PaymentEntry, SeenPayment } from './payment-entry.ts';

/** Durable memory of one wallet's gateways, shared by all of their processes. */
export type StatePort = {
  /** The payment of this logical call, unless it is known to be unused. */
  readonly paymentOf: (callKey: string) => Promise<PaymentEntry | null>;
  /** The same of a payment that is known by its nonce. */
  readonly paymentBy: (nonce: string) => Promise<PaymentEntry | null>;
  /**
   * In one durable step: refuses when the open payments of the mandate (or of the day) and this one exceed
   * `budget.remaining`, when all that are not known to be unused and this one exceed `budget.signed`, or when
   * `approvalId` was used before; else
   * writes the entry and uses the approval up. `known` is the same payment, or another one of the same logical call,
   * and not known to be unused: nothing may be signed beside it. A null budget is waived, because the owner decided or
   * no mandate applies.
   */
  readonly openPayment: (
    entry: PaymentEntry,
    budget: Budget | null,
    approvalId: string | null,
  ) => Promise<
    | { readonly kind: 'opened' }
    | { readonly kind: 'over-budget' }
    | { readonly kind: 'approval-used' }
    | { readonly kind: 'known'; readonly entry: PaymentEntry }
  >;
  /**
   * Returns the entry that `openPayment` would find in place of this one; null if that payment was not used.
   * The entry is on disk, whichever process wrote it.
   */
  readonly findKnown: (entry: PaymentEntry) => Promise<PaymentEntry | null>;
  /**
   * Remembers a challenge, so that its approval can be recognised. Gives the one that stands for its question: an
   * earlier one that was not used, answered or expired, or this one.
   */
  readonly keepApproval: (approval: StoredApproval) => Promise<StoredApproval>;
  /** The question is answered, and the agent has been told: the same call asks anew. */
  readonly endQuestion: (approvalId: string) => Promise<void>;
  readonly findApproval: (approvalId: string) => Promise<StoredApproval | null>;
  /** Payments of which nobody knows yet whether they settled, oldest first. */
  readonly unresolved: () => Promise<readonly PaymentEntry[]>;
  /** Those of them that this identity asked for without a key, opened after this Unix ms. */
  readonly unresolvedOf: (identity: string, openedAfter: number) => Promise<readonly PaymentEntry[]>;
  /**
   * The payment gets this asker, or none. Gives it as it is then; null, and nothing is done, when its asker is no more
   * the one of `entry`, or its outcome is known.
   */
  readonly passOn: (entry: PaymentEntry, asker: Asker | null) => Promise<PaymentEntry | null>;
  /**
   * The payment did not settle and can settle no more: it is forgotten, and its budget is free again. Does nothing when its outcome
   * is known by now, or it was opened anew.
   */
  readonly resolveUnused: (seen: SeenPayment) => Promise<void>;
  /**
   * The same for a payment that never left; the approval that it used up can be used again. False, and nothing is done,
   * when another process has claimed `key` or taken the payment over meanwhile: that one may have sent it.
   */
  readonly withdraw: (entry: PaymentEntry, approvalId: string | null, key: string | null) => Promise<boolean>;
  /** Hands a report to the outbox; `nonce` names the payment it settles, if it settled one. */
  readonly report: (report: TransactionReport, nonce: string | null) => Promise<void>;
  /** The same of a payment whose outcome nobody knows, in one step with that. Does nothing when its outcome is known by now. */
  readonly reportUnresolved: (report: TransactionReport, seen: SeenPayment) => Promise<void>;
} & CallsState;
