import { z } from 'zod';
import { connectorType } from '../control/connector.ts';
import {
  actionTokenClaims,
  endedStatus,
  executionProblem,
  hitlDecision,
  signedReceipt,
} from '../control/execution.ts';
import { digest, name } from '../control/fields.ts';
import { valueRules } from '../control/rotation.ts';
import { binding, envelope } from './credential-parts.ts';
import { onChain } from './on-chain.ts';

const id = z.string().min(1).max(512);

/** The facts of every execution that are recorded and signed. */
const execution = {
  tenantId: name,
  executionId: z.uuid(),
  userId: name,
  /** The key that asked for it. */
  agent: name,
  service: name,
  action: name,
  policyId: name,
  policyVersion: z.int().min(1),
  policyDigest: digest,
  riskTier: z.string().nullable(),
  /** Null where nobody was asked. */
  hitlProof: z.array(hitlDecision).nullable(),
};

/** Commands for executions before they run: keys and action tokens. */
export const tokenCommands = {
  /** Body: the 32 bytes under which params and results of the tenant are kept. Root rotation leaves them as they are. */
  'control.tenantKey': {
    request: z.strictObject({ tenantId: id }),
    requestBody: 'none',
    reply: z.strictObject({}),
    replyBody: 'bytes',
  },
  /** An action token (PASETO v4.local) for one run, 15 minutes long. The enclave adds who it is, and the times. */
  'control.mint': {
    request: z.strictObject({
      claims: actionTokenClaims.omit({ jti: true, iss: true, iat: true, exp: true, tee_mrenclave: true }),
    }),
    requestBody: 'none',
    reply: z.strictObject({ token: z.string(), claims: actionTokenClaims }),
    replyBody: 'none',
  },
  /**
   * What a token says, if it is one of this enclave for this tenant, and whether a request that carries it is under way here.
   * Whether somebody asked before the control plane knows.
   */
  'control.readToken': {
    request: z.strictObject({ tenantId: id, token: z.string().max(8192) }),
    requestBody: 'none',
    reply: z.strictObject({
      claims: actionTokenClaims.nullable(),
      expired: z.boolean(),
      underWay: z.boolean(),
    }),
    replyBody: 'none',
  },
  /** The key of statements about actions, and the audit key's word for it, as of `GET /v1/action-tokens/key`. */
  'control.actionKey': {
    request: z.strictObject({}),
    requestBody: 'none',
    reply: z.strictObject({ publicKey: z.string(), signature: z.string(), auditPublicKey: z.string() }),
    replyBody: 'none',
  },
} as const;

/** Executions of the control plane: runs, receipts and proof bundles. */
export const executionCommands = {
  /** A new value in the place of the key or password of a credential, sealed as its next version. None of both leaves. */
  'control.newValue': {
    request: z.strictObject({ binding, envelope, version: z.int().min(2), rules: valueRules }),
    requestBody: 'none',
    reply: z.strictObject({ binding, envelope, fingerprint: z.string() }),
    replyBody: 'none',
  },
  /**
   * Runs an action in a sandbox of its own, if the token is for exactly this and was not used here before. Body: RFC 8785
   * text of `params`; of the answer: JSON text of what the service answered, masked, or nothing. Records are on disk
   * before it runs and before it answers. Ended with the connection that asked for it.
   */
  'control.run': {
    request: z.strictObject({
      ...execution,
      token: z.string().max(8192),
      connector: z.strictObject({ type: connectorType, definition: z.unknown() }),
      credential: z.strictObject({ binding, envelope }).optional(),
      /** The value that goes into the JSON body in the place of `nextPlaceholder`, which is this one of `params`. */
      next: z.strictObject({ binding, envelope, param: name, rules: valueRules }).optional(),
      /** Cut off midway, it may be done again: then nothing is concluded. */
      safeToRetry: z.boolean(),
      /** An attempt before this one was cut off: what does not complete now may have been done then. Earlier releases do not say it. */
      cutOffBefore: z.boolean().optional(),
      allowPrivate: z.boolean(),
      timeoutMs: z.int().min(1),
    }),
    requestBody: 'bytes',
    reply: z.strictObject({
      /** Null: it was cut off midway, and may be done again. */
      ended: z
        .strictObject({
          status: endedStatus,
          problem: executionProblem.nullable(),
          proof: signedReceipt,
          auditId: id,
        })
        .nullable(),
      durationMs: z.int().min(0),
    }),
    replyBody: 'bytes',
  },
  /**
   * Ends what did not run here, or of which nobody knows whether it did: receipt and record. Where this enclave still
   * knows how it ended, `status` is that.
   */
  'control.conclude': {
    request: z.strictObject({
      ...execution,
      paramsHash: digest,
      status: endedStatus.exclude(['completed']),
      problem: executionProblem.nullable(),
      actor: id,
    }),
    requestBody: 'none',
    reply: z.strictObject({
      status: endedStatus,
      problem: executionProblem.nullable(),
      proof: signedReceipt,
      auditId: id,
    }),
    replyBody: 'bytes',
  },
  /**
   * Body: the text of a proof bundle with these records of the tenant. `anchor`: the newest root on chain; it stands in
   * the bundle where it is a root of this log and contains the records.
   */
  'control.bundle': {
    request: z.strictObject({
      tenantId: id,
      auditIds: z.array(id).min(1).max(1000),
      anchor: onChain.nullable(),
    }),
    requestBody: 'none',
    reply: z.strictObject({}),
    replyBody: 'bytes',
  },
} as const;
