import type { Address } from '@countersign/protocol/address';
import type { KycAnswer, KytAnswer } from '@countersign/protocol/dashboard/compliance';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import type { LimitCode } from '@countersign/protocol/gateway/codes';
import type { GatewayEnvelope, ServiceFailure } from '@countersign/protocol/gateway/envelope';
import type { ServiceList } from '@countersign/protocol/gateway/tools';
import type { Amount } from '@countersign/protocol/amount';
import type { Cancellation } from '@countersign/service/cancellation';
import type { Span, Tracer } from '@countersign/service/trace';
import type { PaymentPolicy } from './config.ts';
import type { ArgumentFault } from './downstream/arguments.ts';
import type { NonsenseReason } from './downstream/posted-request.ts';
import type { ReceiptsPort } from './receipts/receipt.ts';
import type { Facts } from './reply.ts';
import type { StoredApproval } from './rules/approval.ts';

/** One `call_service_tool` call, after its own input was read. */
export type ToolCall = {
  readonly serviceId: string;
  readonly toolName: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly paymentPayload: unknown;
  readonly idempotencyKey: string | undefined;
  /** The agent's own limit: a higher price is not paid. */
  readonly maxAmount?: Amount | undefined;
  /** Tells what the call would end with, and does nothing. */
  readonly dryRun?: boolean | undefined;
  /** How long to wait for the owner's decision, where one is needed. */
  readonly waitSeconds?: number | undefined;
  /** Unique for each call: it names the call in logs, records and the dashboard's log. */
  readonly traceId: string;
  /** The call in its trace: whatever is asked of others on its behalf is a part of it. */
  readonly span: Span;
  /** The agent's name from its token; null on stdio and where no token is asked for. */
  readonly agent: string | null;
  /** Aborts when nobody waits for the answer any more. It ends the call until the payment is sent, and nothing after that. */
  readonly signal: Cancellation;
  /** `of` is what the tool itself reports; a stage of ours has none. */
  readonly onProgress: (message: string | undefined, of?: Progress) => void;
  /** Told just before the payment is sent: from then on it goes to its end. */
  readonly onSent?: ((payment: PaymentEntry, facts: Facts) => void) | undefined;
  /** What an identical call that was paid for did not get told; asked once more before anything is paid. */
  readonly fetchOffered?: ((call: ToolCall) => Promise<GatewayEnvelope | null>) | undefined;
  /** Of a call without a key: what an identical call is known again by, should this process die once it has paid. */
  readonly asker?: Asker;
  /** The payment of an identical call whose process died before it had an answer: it is sent again, and no other. */
  readonly orphan?: PaymentEntry | undefined;
  /** Of a call without a key whose tool was taken for a free one: makes it anew, as one that may pay. */
  readonly asPriced?: ((call: ToolCall) => Promise<GatewayEnvelope>) | undefined;
  /** Whether the agent asked for progress; a downstream is asked for it only then. */
  readonly wantsProgress: boolean;
};

/** Who waits for a payment without a key: an agent's call, by this trace. `process` looks after it. */
export type Asker = { readonly identity: string; readonly process: string; readonly traceId: string };

/** How far a tool has come, by its own word. */
export type Progress = { readonly progress: number; readonly total?: number | undefined };

/** What a downstream answered. Everything in it is another party's text: data, never instructions. */
export type CallOutcome =
  | {
      readonly kind: 'result';
      readonly isError: boolean;
      readonly content: unknown;
      /** Undefined where the tool gave none. */
      readonly structured?: unknown;
      readonly meta?: Readonly<Record<string, unknown>> | undefined;
      readonly settlement: unknown;
    }
  | {
      readonly kind: 'payment-required';
      readonly requirement: unknown;
      readonly content: unknown;
      readonly settlement: unknown;
    }
  /** It asked for money, but its two copies of the price differ or make no sense. */
  | { readonly kind: 'requirement-malformed'; readonly content: unknown }
  /** `error` is the service's own, where it answered with one of JSON-RPC. */
  | { readonly kind: 'protocol-error'; readonly why: NonsenseReason; readonly error?: RpcError | undefined }
  | { readonly kind: 'unavailable'; readonly failure?: ServiceFailure | undefined }
  | { readonly kind: 'timeout' };

type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown };

/** The service asks for money. */
export type DemandOutcome = Extract<CallOutcome, { kind: 'payment-required' | 'requirement-malformed' }>;

/** The services behind the gateway. No method throws; of a paid call one payload is sent, and taken at most once. */
export type ServicesPort = {
  readonly list: (filter: {
    serviceId?: string | undefined;
    query?: string | undefined;
  }) => Promise<ServiceList['services']>;
  /** Null when the call may be sent; otherwise why not. */
  readonly check: (call: ToolCall) => Promise<CallRefusal | null>;
  /** Whether the tool asked for money when it was last called, or says of itself that it would. */
  readonly asksForMoney: (call: ToolCall) => boolean;
  /** Whether the tool gave its result without money when it was last called. */
  readonly isFree: (call: ToolCall) => boolean;
  readonly call: (call: ToolCall) => Promise<CallOutcome>;
  readonly callPaid: (call: ToolCall, payment: object) => Promise<CallOutcome>;
};

export type CallRefusal =
  | {
      readonly code:
        | 'SERVICE_NOT_FOUND'
        | 'TOOL_NOT_FOUND'
        | 'TOOL_DEFINITION_CHANGED'
        /** Of a dry run only. */
        | 'PRICE_UNKNOWN';
    }
  | { readonly code: 'DOWNSTREAM_UNAVAILABLE'; readonly failure?: ServiceFailure | undefined }
  | { readonly code: 'INVALID_ARGUMENTS'; readonly fault: ArgumentFault };

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

/** The active mandate as the dashboard tells it, unverified. */
export type MandateAnswer = {
  readonly id: string;
  readonly status: string;
  readonly perTxLimit: Amount;
  readonly totalBudget: Amount;
  readonly usedAmount: Amount;
  readonly remainingBudget: Amount;
  /** The text that was signed. */
  readonly expiresAt: string;
  readonly credential: unknown;
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
  readonly typedData: object;
  readonly expiresAt: string;
};

/** Why a hold was not placed, or that it was. `absent`: this dashboard knows no holds. */
export type HoldAnswer =
  | { readonly kind: 'held' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'over-limit'; readonly code: LimitCode }
  | {
      readonly kind: 'refused';
      readonly code: 'MANDATE_NOT_FOUND' | 'MANDATE_EXPIRED' | 'ASSURANCE_API_ERROR';
    }
  /** The owner's policy lists merchants or services, and this is none of them. `why` is one clause of ours. */
  | { readonly kind: 'refused'; readonly code: 'PAYMENT_UNSUPPORTED'; readonly why: string };

/** Holds on a mandate at the dashboard: what all gateways together may spend. Never throws. */
export type HoldsPort = {
  readonly place: (
    hold: {
      readonly holdId: string;
      readonly mandateId: string;
      readonly amount: Amount;
      readonly ttlSeconds: number;
      readonly payee: Address;
      readonly serviceId: string;
    },
    span: Span,
  ) => Promise<HoldAnswer>;
  /** Gives a hold back. One that could not be given back runs out by itself. */
  readonly release: (holdId: string, span: Span) => Promise<void>;
};

/** What the assurance check asks the dashboard. Never throws. `never`: this wallet has not had a mandate at any time. */
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
    | { kind: 'none' }
    | { kind: 'expired' }
    | NoAnswer
  >;
};

/** A signed payment, journaled before it leaves. Amounts are decimal text, `validBefore` Unix seconds. */
export type PaymentEntry = {
  readonly nonce: string;
  readonly mandateId: string | null;
  /** What it counts against where no mandate applies and the owner was not asked: the cap of this UTC day. */
  readonly day?: string | undefined;
  /** The dashboard's hold; null where there is none. */
  readonly holdId: string | null;
  /** Unix ms until which the dashboard counts this payment itself, by its hold; null when it never does. */
  readonly heldUntil: number | null;
  /** Names the logical call: the same key again is this payment again. Null without an idempotency key. */
  readonly callKey: string | null;
  /** Of the call that is paid for; another call with its key gets nothing. */
  readonly callHash: string;
  /** Who waits for it, where no key names it; nobody once they have been told. */
  readonly asker?: Asker | undefined;
  readonly amount: string;
  readonly validBefore: number;
  readonly payload: object;
  readonly payer: Address;
  readonly asset: Address;
  /** Unix ms. */
  readonly openedAt: number;
  /** The record of this payment if it turns out to have settled; only the transaction's hash is missing. */
  readonly ifSettled: TransactionReport;
};

/** What a payment must fit into. */
export type Budget = {
  /** What the dashboard said was left. */
  readonly remaining: Amount;
  /** Unix ms at which the look-up of `remaining` began. */
  readonly askedAt: number;
  /** The total that the owner signed: what left from here stays below it, whatever the dashboard says. */
  readonly signed: Amount;
};

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
  /** The payment did not settle and can settle no more: it is forgotten, and its budget is free again. */
  readonly resolveUnused: (nonce: string) => Promise<void>;
  /**
   * The same for a payment that never left; the approval that it used up can be used again. False, and nothing is done,
   * when another process has claimed `key` or taken the payment over meanwhile: that one may have sent it.
   */
  readonly withdraw: (entry: PaymentEntry, approvalId: string | null, key: string | null) => Promise<boolean>;
  /** Hands a report to the outbox; `nonce` names the payment it settles, if it settled one. */
  readonly report: (report: TransactionReport, nonce: string | null) => Promise<void>;
} & CallsState;

/**
 * What came of wanting to run a call: it is this process's to run, until it is released or has fallen silent; another
 * one runs it; the key is another call's; or it has been answered.
 */
export type Claimed =
  | { readonly kind: 'mine' | 'running' | 'conflict' }
  | { readonly kind: 'answered'; readonly answer: GatewayEnvelope };

type Offered = {
  readonly callHash: string;
  readonly envelope: GatewayEnvelope;
  readonly keptForMs: number;
  readonly isRunning: boolean;
};

/** Which calls are being run, by whom, and the answers that are kept. */
export type CallsState = {
  /** What an earlier call with this key ended in; `conflict` when that was another call. */
  readonly recall: (key: string, callHash: string) => Promise<'new' | 'conflict' | GatewayEnvelope>;
  /** Keeps an answer on disk. */
  readonly remember: (
    key: string,
    callHash: string,
    envelope: GatewayEnvelope,
    forMs: number,
  ) => Promise<void>;
  readonly claim: (key: string, callHash: string) => Promise<Claimed>;
  /** Whether a process has claimed the key, and has not fallen silent. */
  readonly isClaimed: (key: string) => Promise<boolean>;
  /** Keeps claims of this process for a while longer. */
  readonly renew: (keys: readonly string[]) => Promise<void>;
  readonly release: (key: string) => Promise<void>;
  /**
   * Offers the answer of this name to whoever asks for the same next. `kept` comes with the first offer: what is known of
   * the answer by then, and whether this process still waits for the rest, as of a claim.
   */
  readonly offer: (identity: string, name: string, forMs: number, kept: Offered | null) => Promise<void>;
  /** The name of the oldest answer that is offered; it is offered to nobody else then. Null when there is none. */
  readonly adopt: (identity: string) => Promise<string | null>;
};

/** The calls of this process: one pass for all who ask for the same, by their key. */
export type CallsPort = {
  readonly run: (
    call: ToolCall,
    work: (call: ToolCall) => Promise<GatewayEnvelope>,
  ) => Promise<GatewayEnvelope>;
};

/** Whether a transaction carries `AuthorizationUsed(payer, nonce)`. `unknown` when the chain gave no answer. */
export type ChainPort = {
  readonly authorizationUsed: (query: {
    transaction: string;
    asset: Address;
    payer: Address;
    nonce: string;
  }) => Promise<'yes' | 'no' | 'unknown'>;
  /** The transaction that used this authorization; `unused` when none has so far. */
  readonly findSettlement: (query: {
    asset: Address;
    payer: Address;
    nonce: string;
  }) => Promise<{ readonly transaction: string } | 'unused' | 'unknown'>;
  /** Whether a contract wallet signed this hash (ERC-1271, ERC-6492). No answer is a no. */
  readonly signedByContract: (wallet: Address, hash: Uint8Array, signature: string) => Promise<boolean>;
};

/** Whether an authorization has run out on chain. */
export type ExpiryPort = {
  /** True when a block after `validBefore` (Unix seconds) shows it unused: then it stays so. No answer is a no. */
  readonly staysUnused: (query: {
    asset: Address;
    payer: Address;
    nonce: string;
    validBefore: number;
  }) => Promise<boolean>;
};

/** What the owner has said in the inbox. `reason` is the owner's own text, for `detail` alone; `unknown`: no answer. */
export type InboxWord =
  | { readonly kind: 'pending' | 'expired' | 'used' | 'unknown' }
  | { readonly kind: 'approved'; readonly signature: string }
  | { readonly kind: 'rejected'; readonly reason: string | null };

/** The owner's inbox at the dashboard. Never throws. */
export type ApprovalsPort = {
  /** Shows a challenge to the owner, once however often it is asked. A dashboard without an inbox is no error. */
  readonly ask: (request: ApprovalRequest, span: Span) => Promise<InboxWord>;
  readonly wordOf: (approvalId: string, span: Span) => Promise<InboxWord>;
  /** Where people reach the dashboard, as it says itself; null when it says nothing. */
  readonly publicUrl: (span: Span) => Promise<URL | null>;
  /** Tells that an approval has been used. */
  readonly use: (approvalId: string, span: Span) => Promise<void>;
};

export type Wallet = {
  readonly address: Address;
  /** Signs a 32-byte hash; 65 bytes as hex. */
  readonly sign: (hash: Uint8Array) => `0x${string}`;
  /** 32 bytes that only this wallet can make of `text`: the source of nonces. */
  readonly derive: (text: string) => `0x${string}`;
};

export type GatewayPorts = {
  readonly services: ServicesPort;
  readonly compliance: CompliancePort;
  readonly mandates: MandatePort;
  readonly holds: HoldsPort;
  readonly approvals: ApprovalsPort;
  readonly state: StatePort;
  readonly calls: CallsPort;
  readonly receipts: ReceiptsPort;
  /** Null when no RPC endpoint is configured: settlement is then the service's word. */
  readonly chain: ChainPort | null;
  readonly wallet: Wallet;
  readonly policy: PaymentPolicy;
  /** May approve beside the payer's own wallet. */
  readonly approvers: readonly Address[];
  /** Whether the owner is sent the arguments of a call that they are asked about, or their hash alone. */
  readonly sendsArguments: boolean;
  readonly chainName: string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly randomId: () => string;
  readonly tracer: Tracer;
};
