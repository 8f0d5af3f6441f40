import { z } from 'zod';
import { attestation } from '../vault/attestation.ts';
import { auditRecord, recordDraft, tee } from '../vault/audit-record.ts';
import { binding, envelope } from './credential-parts.ts';
import { operationProblem, sandboxIsolation } from '../vault/sandbox.ts';
import { controlCommands } from './control-commands.ts';
import { executionCommands, tokenCommands } from './execution-commands.ts';
import { onChain } from './on-chain.ts';
import { requestCommands } from './request-commands.ts';
import { sessionCommands } from './session-commands.ts';

/**
 * Everything that the vault can ask of the enclave, and nothing else. Both sides check both directions against these
 * schemas. Secrets travel in the body of a frame, as bytes, never in these headers.
 */

const base64 = z.base64();
/** `sizes` of trees; leaves start at 0. */
const size = z.int().min(0);
const id = z.string().min(1).max(512);

/** How the process is isolated. Each member is true only if it was found to hold. */
export const isolation = z.strictObject({
  ownUser: z.boolean(),
  noNetwork: z.boolean(),
  noCoreDumps: z.boolean(),
  noPtrace: z.boolean(),
  namespaces: z.boolean(),
  seccomp: z.boolean(),
  secretMemory: z.boolean(),
});
export type Isolation = z.infer<typeof isolation>;

/** The sessions' browser and its isolation, as last measured; null before the first. */
export const sandboxAbout = z.strictObject({
  isolation: sandboxIsolation,
  engine: z.strictObject({ kind: z.enum(['configured', 'system', 'bundled']), version: z.string() }),
});
export type SandboxAbout = z.infer<typeof sandboxAbout>;

export const auditFilter = z.strictObject({
  tenantId: id,
  sessionId: id.optional(),
  agentDid: id.optional(),
  credentialId: id.optional(),
  /** The whole of it, or `token:ID`. */
  actor: id.optional(),
  /** These four stand in the records' `detail`. */
  executionId: id.optional(),
  policyId: id.optional(),
  userId: id.optional(),
  service: id.optional(),
  eventType: z.string().optional(),
  /** ISO 8601, both inclusive. */
  from: z.string().optional(),
  to: z.string().optional(),
});

const recordedByVault = z.enum([
  'credential_created',
  'credential_deleted',
  'credential_updated',
  'credential_use_revoked',
]);

const oneRecord = z.strictObject({ tenantId: id, auditId: id });

/** Whether a frame's body carries bytes in this direction. */
type Body = 'none' | 'bytes';
type Command = {
  readonly request: z.ZodObject;
  readonly requestBody: Body;
  readonly reply: z.ZodObject;
  readonly replyBody: Body;
};

export const enclaveCommands = {
  /** Who the enclave is. */
  describe: {
    request: z.strictObject({}),
    requestBody: 'none',
    reply: z.strictObject({
      tee,
      /** Raw bytes in base64: Ed25519 with 32, P-256 uncompressed with 65. */
      auditPublicKey: base64,
      sealPublicKey: base64,
      /** Name of the log's checkpoints. */
      origin: z.string(),
      isolation,
      sandbox: sandboxAbout.nullable(),
      /** How often the core was restarted since its launcher started: it had died, or did not respond. */
      restarts: z.int().min(0),
    }),
    replyBody: 'none',
  },
  report: {
    request: z.strictObject({ nonce: z.string().max(256) }),
    requestBody: 'none',
    reply: attestation,
    replyBody: 'none',
  },
  /**
   * Body: keys of 32 bytes. Under the first one the vault makes its tokens; what was made under the others counts too. Root
   * rotation leaves them as they are.
   */
  tokenKey: {
    request: z.strictObject({}),
    requestBody: 'none',
    reply: z.strictObject({}),
    replyBody: 'bytes',
  },
  /** A new key of tokens. The ones before count on, unless they are revoked; gives how many count. */
  rotateTokenKey: {
    request: z.strictObject({ revoke: z.boolean() }),
    requestBody: 'none',
    reply: z.strictObject({ keys: z.int().min(1) }),
    replyBody: 'none',
  },
  /** A new `sealPublicKey`. What was sealed to the ones before opens too, unless they are revoked. */
  rotateSealKey: {
    request: z.strictObject({ revoke: z.boolean() }),
    requestBody: 'none',
    reply: z.strictObject({ sealPublicKey: base64 }),
    replyBody: 'none',
  },
  /** Body: JSON of `plaintext_data`, or where `sealed`, enc ‖ ciphertext to `sealPublicKey` (RFC 9180). Checked by its type. */
  seal: {
    request: z.strictObject({ binding, sealed: z.boolean() }),
    requestBody: 'bytes',
    /** The end of a certificate's validity; null for other types. */
    reply: z.strictObject({
      envelope,
      fingerprint: z.string(),
      certificateExpiresAt: z.iso.datetime().nullable(),
    }),
    replyBody: 'none',
  },
  /** Answers once the record of the access is on disk. Body: the plaintext, or sealed to `recipientPublicKey`. */
  open: {
    request: z.strictObject({
      binding,
      envelope,
      actor: id,
      reason: z.string().min(1).max(500),
      agentDid: id.optional(),
      /** The execution for which it is opened. */
      executionId: z.uuid().optional(),
      /** P-256, uncompressed, 65 bytes. */
      recipientPublicKey: base64.optional(),
    }),
    requestBody: 'none',
    reply: z.strictObject({ auditId: id }),
    replyBody: 'bytes',
  },
  /**
   * Records a change that the vault itself makes to a credential. Answers when the record is on disk; until
   * then the change has no effect.
   */
  'vault.record': {
    request: z.strictObject({ draft: recordDraft.extend({ eventType: recordedByVault, credentialId: id }) }),
    requestBody: 'none',
    reply: z.strictObject({ auditId: id }),
    replyBody: 'none',
  },
  /** From here on `seal` and `rewrap` use a new root; the ones before still open. */
  rotateRoot: {
    request: z.strictObject({}),
    requestBody: 'none',
    reply: z.strictObject({ root: z.int().min(1) }),
    replyBody: 'none',
  },
  /** The same credential under the newest root. No plaintext leaves. */
  rewrap: {
    request: z.strictObject({ binding, envelope }),
    requestBody: 'none',
    reply: z.strictObject({ envelope }),
    replyBody: 'none',
  },
  /** Forgets all roots but the newest. */
  retireRoots: {
    request: z.strictObject({}),
    requestBody: 'none',
    reply: z.strictObject({ root: z.int().min(1) }),
    replyBody: 'none',
  },
  /**
   * From here on the audit log is signed by a new key, which the one before endorses in every chain. When it is cut off
   * or refused, asking again brings that change to its end, as does the next start, and makes no second one.
   */
  rotateAuditKey: {
    request: z.strictObject({}),
    requestBody: 'none',
    reply: z.strictObject({ auditPublicKey: base64 }),
    replyBody: 'none',
  },
  /** Newest first, as many as fit. */
  'audit.query': {
    request: z.strictObject({ filter: auditFilter, limit: z.int().min(1).max(1000), offset: size }),
    requestBody: 'none',
    reply: z.strictObject({ items: z.array(auditRecord), total: size }),
    replyBody: 'none',
  },
  /** Oldest first, from `fromSeq` on, as many as fit. */
  'audit.chain': {
    request: z.strictObject({ tenantId: id, fromSeq: z.int().min(1), limit: z.int().min(1).max(1000) }),
    requestBody: 'none',
    reply: z.strictObject({ items: z.array(auditRecord) }),
    replyBody: 'none',
  },
  /** The number of records in an export made now, and its last line. `anchor`: the newest root on chain. */
  'audit.head': {
    request: z.strictObject({ tenantId: id, anchor: onChain.nullable() }),
    requestBody: 'none',
    reply: z.strictObject({ records: size, lastLine: z.string() }),
    replyBody: 'none',
  },
  'audit.verify': {
    request: oneRecord,
    requestBody: 'none',
    reply: z.strictObject({
      auditId: id,
      signatureValid: z.boolean(),
      chainHashValid: z.boolean(),
      merklePathValid: z.boolean(),
    }),
    replyBody: 'none',
  },
  /** C2SP tlog-proof. */
  'audit.proof': {
    request: oneRecord,
    requestBody: 'none',
    reply: z.strictObject({ proof: z.string() }),
    replyBody: 'none',
  },
  'audit.consistency': {
    request: z.strictObject({ from: size, to: size }),
    requestBody: 'none',
    reply: z.strictObject({ hashes: z.array(base64) }),
    replyBody: 'none',
  },
  'audit.checkpoint': {
    request: z.strictObject({}),
    requestBody: 'none',
    reply: z.strictObject({ checkpoint: z.string(), size, root: base64 }),
    replyBody: 'none',
  },
  /** The root that the tree had at a size. */
  'audit.root': {
    request: z.strictObject({ size }),
    requestBody: 'none',
    reply: z.strictObject({ root: base64 }),
    replyBody: 'none',
  },
  ...requestCommands,
  ...sessionCommands,
  ...controlCommands,
  ...tokenCommands,
  ...executionCommands,
} as const satisfies Record<string, Command>;

export type EnclaveCommand = keyof typeof enclaveCommands;
export type CommandRequest<C extends EnclaveCommand> = z.input<(typeof enclaveCommands)[C]['request']>;
export type CommandReply<C extends EnclaveCommand> = z.output<(typeof enclaveCommands)[C]['reply']>;

/** Why a command was not done. Never another party's words; `field` names what is wrong in a plaintext, not its value. */
export const enclaveRefusal = z.strictObject({
  code: z.enum([
    'INVALID_COMMAND',
    'INVALID_PLAINTEXT',
    'CANNOT_UNSEAL',
    'CANNOT_DECRYPT',
    'NOT_FOUND',
    'AUDIT_UNAVAILABLE',
    /** The session is paused or over. */
    'SESSION_NOT_ACTIVE',
    /** An agent may not resume it. */
    'PAUSED_BY_PERSON',
    /** Kept apart as it must be, no browser can be had here; or there are too many. */
    'SANDBOX_UNAVAILABLE',
    /** A screenshot or an export that the review or the page does not give; `problem` tells why. */
    'OPERATION_FAILED',
    'INTERNAL',
  ]),
  field: z.string().optional(),
  problem: operationProblem.optional(),
  /** With `problem`: the operation's id in the records. */
  operationId: z.uuid().optional(),
});
export type EnclaveRefusal = z.infer<typeof enclaveRefusal>;

const frameId = z.int().min(1);

/** The header of a frame to the enclave; `request` is read by its command's schema. */
export const enclaveRequest = z.strictObject({ id: frameId, command: z.string(), request: z.unknown() });

/** The header of a frame from the enclave; `reply` is read by the schema of the command that had this id. */
export const enclaveAnswer = z.union([
  z.strictObject({ id: frameId, reply: z.unknown() }),
  z.strictObject({ id: frameId, refusal: enclaveRefusal }),
]);

/** Largest frame in bytes, of either direction: a picture of a long page fits. */
export const maxFrameBytes = 8_388_608;
