import { z } from 'zod';

/**
 * Events that the vault records (vault.audit.record.fields), and in addition changes to credentials and who
 * viewed a question.
 */
export const vaultEventTypes = [
  'session_initiated',
  'credential_access',
  'sandbox_operation',
  'policy_rejected',
  'human_approval_requested',
  'human_approval_received',
  'session_closed',
  /** A person has seen what is asked, with the page as it was then; once for each person. */
  'human_approval_opened',
  /** Its type, and where it may be used. */
  'credential_created',
  'credential_deleted',
  /** The entries that were added to `allowed_urls` and removed from it. */
  'credential_updated',
  /** A place is learned, from a person who agreed or as a log-in form. */
  'credential_use_allowed',
  'credential_use_revoked',
  /**
   * Content of a page that left its session: an export, a picture or text, with its size and a salted digest.
   */
  'content_left',
  /** A request with a credential: where it went, and the status of its answer or why there is none. */
  'request_ended',
] as const;

/** Events that the control plane records. */
export const controlEventTypes = [
  'policy_created',
  'policy_bound',
  'credential_created',
  /** A new version of its value, by whom and how. */
  'credential_updated',
  'credential_deleted',
  /** The new value is sealed; its operation is an execution with records of its own. */
  'credential_rotation_started',
  /** A person has the next value checked once more. */
  'credential_rotation_check_asked',
  /** Which of the two values is kept, or that nobody knows. */
  'credential_rotation_ended',
  'key_created',
  'key_revoked',
  'connector_created',
  'connector_deleted',
  'batch_created',
  'batch_revoked',
  /** The request and the policy's verdict, including that of `log_only` policies. */
  'execution_requested',
  /** On disk before anything runs. */
  'execution_started',
  /** Carries the receipt, whether it ran or not. */
  'execution_ended',
] as const;

/** The record by which a tenant's chain goes over to the log's next key. */
export const signerRotated = 'signer_rotated';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** Without control characters, by which ids can thus be joined, and without lone surrogates, which have no UTF-8. */
const id = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,512}$/u);

/** The TEE in which a record was signed; `simulated` means that no hardware vouches for it. */
export const tee = z.strictObject({
  kind: z.enum(['tdx', 'sev-snp', 'dstack', 'gramine', 'nitro', 'simulated']),
  trust: z.enum(['hardware', 'simulated']),
});
export type Tee = z.infer<typeof tee>;

/** Taken as it is: `z.record` would leave out a member named `__proto__`, and the record could not be read back. */
const anyObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/** Any, so that a later log can still be read. */
export const eventType = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);

/**
 * One record, as exports and proofs contain it. Unknown event types are accepted, so that logs of later
 * releases can be verified.
 */
export const auditRecord = z.strictObject({
  auditId: id,
  /** Counts the records of the tenant, from 1. */
  seq: z.int().min(1),
  /** Place in the tree that all tenants share, from 0. */
  leafIndex: z.int().min(0),
  eventType,
  tenantId: id,
  sessionId: id.optional(),
  credentialId: id.optional(),
  agentDid: id.optional(),
  actor: id,
  /** Never plaintext, page text or a bare hash of a short secret. */
  detail: anyObject,
  /** ISO 8601, UTC, with milliseconds. */
  at: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  tee,
  /** Lower-case hex, as is `chainHash`. */
  prevChainHash: hash,
  chainHash: hash,
  /** Base64 of 64 bytes. */
  signature: z.string().length(88),
});
export type AuditRecord = z.infer<typeof auditRecord>;

/** The part of a record that is hashed and signed. */
export type RecordBody = Omit<AuditRecord, 'chainHash' | 'signature'>;

/** The part of a record that its author supplies; the log adds the rest. */
export const recordDraft = auditRecord.pick({
  eventType: true,
  tenantId: true,
  sessionId: true,
  credentialId: true,
  agentDid: true,
  actor: true,
  detail: true,
});
export type AnyDraft = z.infer<typeof recordDraft>;
export type RecordDraft = AnyDraft & {
  readonly eventType: (typeof vaultEventTypes)[number] | (typeof controlEventTypes)[number];
};

/** Most bytes of a record's text: entries of tlog-tiles have a length of two bytes. */
export const maxRecordBytes = 65_535;
