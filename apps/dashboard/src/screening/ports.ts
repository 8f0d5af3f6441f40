import type { Address } from '@countersign/protocol/address';
import type { KycStatus, RiskLevel } from '@countersign/protocol/dashboard/compliance';
import type { Result } from '@countersign/protocol/result';
import type { SignedRequest } from '@countersign/service/http';

/**
 * No trustworthy answer: a value of its own, so that nobody takes it for a clean result. `detail` is for the log, and
 * says nothing in the provider's words.
 */
export type Unavailable = {
  readonly kind: 'unavailable';
  readonly why: 'timeout' | 'unreachable' | 'http' | 'unauthorized' | 'malformed' | 'stale-list' | 'resting';
  readonly detail: string;
  /** The provider's raw response, if there was any. */
  readonly raw: string | null;
  /** So long the provider asked to be left alone, in milliseconds. */
  readonly retryAfterMs?: number;
};

export type Risk = {
  readonly riskLevel: RiskLevel;
  /** 0 to 100, lower is safer. */
  readonly riskScore: number;
  /** Whether the provider knows the address at all; `none` means only that nothing is known against it. */
  readonly attribution: 'known' | 'none';
};

export type Screening = Risk & {
  readonly kind: 'screened';
  /** Whose list or database said so. */
  readonly source: string;
  /** When the list was published; null where there is no such day. */
  readonly listDate: Date | null;
  /** The provider's own name of this answer. */
  readonly requestId: string | null;
  /** The provider's answer to the letter; null where nobody outside was asked. */
  readonly raw: string | null;
};

/** `chain` is a CAIP-2 id. */
export type KytQuestion = { readonly address: Address; readonly chain: string };

/** Somebody outside who knows risks. Never throws for what a vendor does; ends when `signal` aborts. */
export type KytVendor = {
  readonly kind: 'vendor';
  readonly id: string;
  readonly screen: (question: KytQuestion, signal: AbortSignal) => Promise<Screening | Unavailable>;
};

/** A list of our own. It is looked up each time, so that a change counts at once. */
export type KytList = {
  readonly kind: 'list';
  readonly id: string;
  readonly screen: (question: KytQuestion) => Promise<Screening | Unavailable>;
  readonly state: () => Promise<ListState>;
};

/** Without any list, no source and no date. */
export type ListState = {
  readonly source: string | null;
  readonly listDate: Date | null;
  readonly addressCount: number;
  readonly fresh: boolean;
};

export type KytProvider = KytVendor | KytList;

/** Under `accountId` the provider knows the person; it never learns the wallet. */
export type KycSubject = { readonly accountId: string; readonly wallet: Address };

/** The verdict about a person and a reference to the provider's file, never its content. */
export type Identity = {
  readonly kind: 'known';
  readonly status: KycStatus;
  readonly requestId: string | null;
};

/**
 * Identity of the person behind an account; whom nobody knows is `pending`. Never throws for what a vendor does; ends
 * when `signal` aborts.
 */
export type KycVendor = {
  readonly kind: 'vendor';
  readonly id: string;
  readonly look: (subject: KycSubject, signal: AbortSignal) => Promise<Identity | Unavailable>;
  /** A page of the vendor where this person proves who they are. */
  readonly begin: (subject: KycSubject, signal: AbortSignal) => Promise<Begun | Unavailable>;
  /** Checks what the vendor sends by itself; null where no such thing is taken. */
  readonly readWebhook: ((request: SignedRequest) => Result<WebhookEvent, BadWebhook>) | null;
};

/** The page is the person's alone; `expiresAt` is null where the vendor does not say. */
export type Begun = { readonly kind: 'begun'; readonly url: string; readonly expiresAt: Date | null };

/** Something changed there. It names whom to ask about again, and is believed in nothing else. */
export type WebhookEvent = {
  /** The same event has the same id, however often it is sent. */
  readonly eventId: string;
  /** Our name of whom it is about: an account, or the check of a business. Null when it is about nobody. */
  readonly about: string | null;
};

export type BadWebhook = 'unsigned' | 'malformed';

/** The operators' own reviews, looked up each time. */
export type KycQueue = {
  readonly kind: 'queue';
  readonly id: string;
  readonly lookUp: (wallet: Address) => Promise<Identity>;
};

export type KycProvider = KycVendor | KycQueue;

/** What a vendor is told of a business: the facts of its record, under an unguessable reference of ours. */
export type KybSubject = {
  readonly checkId: string;
  readonly legalName: string;
  readonly registrationNumber: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
};

/** Checks businesses. Never throws for what a vendor does; ends when `signal` aborts. */
export type KybVendor = {
  readonly id: string;
  /** Begins a check. Begun twice it is one check. */
  readonly start: (subject: KybSubject, signal: AbortSignal) => Promise<Identity | Unavailable>;
  /** Returns the state of a check; one that the vendor does not know is `pending`. */
  readonly look: (checkId: string, signal: AbortSignal) => Promise<Identity | Unavailable>;
  readonly readWebhook: KycVendor['readWebhook'];
};
