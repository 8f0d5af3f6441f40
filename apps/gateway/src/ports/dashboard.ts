import type { Address } from '@countersign/protocol/address';
import type { Amount } from '@countersign/protocol/amount';
import type { KycAnswer, KytAnswer } from '@countersign/protocol/dashboard/compliance';
import type { MandateNotFoundReason } from '@countersign/protocol/dashboard/mandate';
import type { ExceededRule, PolicyRefusal } from '@countersign/protocol/dashboard/policy';
import type { LimitCode } from '@countersign/protocol/gateway/codes';
import type { Span } from '@countersign/service/trace';
import type { MandateAnswer } from '../rules/mandate.ts';

/** A look-up that gave no verdict is never a pass. */
export type NoAnswer = { readonly kind: 'unavailable' } | { readonly kind: 'not-configured' };

/** KYC and KYT of one wallet. Never throws. */
export type CompliancePort = {
  readonly kyc: (
    wallet: Address,
    span: Span,
  ) => Promise<{ kind: 'answer'; answer: KycAnswer } | { kind: 'not-found' } | NoAnswer>;
  readonly kyt: (wallet: Address, span: Span) => Promise<{ kind: 'answer'; answer: KytAnswer } | NoAnswer>;
};

/** Body of `POST /api/approvals`. */
export type ApprovalRequest = {
  readonly approvalId: string;
  readonly serviceId: string;
  readonly toolName: string;
  readonly argumentsHash: string;
  /** The text that was hashed; absent where the hash alone is sent. */
  readonly arguments?: string;
  readonly payer: string;
  readonly payTo: string;
  readonly asset: string;
  /** Decimal text, for people; base units stand in `typedData`. */
  readonly amount: string;
  readonly currency: string;
  readonly reason: string;
  /** Every rule that the payment exceeds. */
  readonly reasons?: string[];
  readonly typedData: object;
  readonly expiresAt: string;
};

/** Why a hold was not placed, or that it was; `reason` for the record alone. `absent`: this dashboard knows no holds. */
export type HoldAnswer =
  /** `until`: Unix ms, by the dashboard's clock. Of a hold that was placed before it is the time it was given then. */
  | { readonly kind: 'held'; readonly until: number }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'over-limit';
      readonly code: LimitCode;
      readonly reason?: PolicyRefusal;
      /** Every rule that is exceeded. Absent: this dashboard does not tell, nor look at `approvalId`. */
      readonly exceeded?: readonly ExceededRule[];
    }
  | {
      readonly kind: 'refused';
      readonly code: 'MANDATE_NOT_FOUND' | 'MANDATE_EXPIRED' | 'ASSURANCE_API_ERROR';
      readonly reason?: PolicyRefusal;
    }
  /** The owner's policy lists merchants or services, and this is none of them. `why` is one clause of ours. */
  | {
      readonly kind: 'refused';
      readonly code: 'PAYMENT_UNSUPPORTED';
      readonly why: string;
      readonly reason?: PolicyRefusal;
    };

/** A hold, and who needs it: of the same hold several may be holders. */
export type HeldFor = { readonly holdId: string; readonly holder: string };

/** Holds on a mandate at the dashboard: what all gateways together may spend. Never throws. */
export type HoldsPort = {
  readonly place: (
    hold: HeldFor & {
      readonly mandateId: string;
      readonly amount: Amount;
      readonly ttlSeconds: number;
      readonly payee: Address;
      readonly serviceId: string;
      /** CAIP-2 id of where it is paid. */
      readonly chain: string;
      /** The owner's approval of this very payment: it may exceed what they were told of, and nothing else. */
      readonly approvalId?: string;
    },
    span: Span,
  ) => Promise<HoldAnswer>;
  /** Gives a hold back, for this holder alone. One that could not be given back runs out by itself. */
  readonly release: (hold: HeldFor, span: Span) => Promise<void>;
};

/**
 * The dashboard's part of the assurance check. Never throws. `never`: this wallet has never had a mandate.
 * `reason`: the fate of the newest one.
 */
export type MandatePort = {
  readonly publicKey: (
    wallet: Address,
    span: Span,
  ) => Promise<{ kind: 'key'; publicKey: string } | { kind: 'not-found' } | NoAnswer>;
  readonly activeMandate: (
    payer: Address,
    span: Span,
  ) => Promise<
    | { kind: 'found'; mandate: MandateAnswer }
    | { kind: 'never' }
    | { kind: 'none'; reason?: MandateNotFoundReason }
    | { kind: 'expired' }
    | NoAnswer
  >;
};

/**
 * The owner's decision in the inbox. `reason` is the owner's own text, for `detail` alone; `unknown`: no
 * answer.
 */
export type InboxWord =
  | { readonly kind: 'pending' | 'expired' | 'used' | 'unknown' }
  | { readonly kind: 'approved'; readonly signature: string }
  | { readonly kind: 'rejected'; readonly reason: string | null };

/** The owner's inbox at the dashboard. Never throws. */
export type ApprovalsPort = {
  /** Shows a challenge to the owner, once however often it is asked. A dashboard without an inbox is no error. */
  readonly ask: (request: ApprovalRequest, span: Span) => Promise<InboxWord>;
  readonly wordOf: (approvalId: string, span: Span) => Promise<InboxWord>;
  /** Returns the dashboard's public URL, as it states it; null if it states none. */
  readonly publicUrl: (span: Span) => Promise<URL | null>;
  /** Tells that an approval has been used. */
  readonly use: (approvalId: string, span: Span) => Promise<void>;
};
