import { randomInt } from 'node:crypto';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import type { Binding } from '@countersign/protocol/enclave/credential-parts';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { certificateEnd } from './credential/certificate.ts';
import { open, seal } from './credential/envelope.ts';
import { fingerprintOf } from './credential/fingerprint.ts';
import { sealTo, type Unsealers } from './credential/hpke.ts';
import { makeValue, withValue } from './credential/new-value.ts';
import { plaintextProblem } from './credential/plaintext.ts';
import { checkIdentity, type IdentityState } from './identity/check.ts';
import { record } from './executions/record.ts';
import type { EnclaveKeys } from './keys/enclave-keys.ts';
import type { Handlers, Outcome } from './serve.ts';

export type CredentialParts = {
  readonly keys: EnclaveKeys;
  readonly audit: AuditLog;
  readonly unsealer: Unsealers;
  /** Unix milliseconds. */
  readonly now: () => number;
};

type CredentialCommand =
  | 'tokenKey'
  | 'rotateTokenKey'
  | 'seal'
  | 'rotateSealKey'
  | 'open'
  | 'vault.record'
  | 'rotateRoot'
  | 'rewrap'
  | 'control.newValue'
  | 'retireRoots';

/** The commands on credentials and the keys that they are under. */
export function credentialHandlers(parts: CredentialParts): Pick<Handlers, CredentialCommand> {
  const { keys, unsealer } = parts;
  return {
    tokenKey: () => ok({ reply: {}, body: Buffer.concat(keys.tokenKeys) }),
    rotateTokenKey: async ({ revoke }) => {
      await keys.add('token');
      if (revoke) await keys.retire('token');
      return ok({ reply: { keys: keys.tokenKeys.length } });
    },
    rotateSealKey: async ({ revoke }) => {
      await keys.add('seal');
      if (revoke) await keys.retire('seal');
      await unsealer.renew();
      return ok({ reply: { sealPublicKey: unsealer.publicKey.toString('base64') } });
    },
    seal: async ({ binding, sealed }, body) => {
      if (!sealed) return sealChecked(keys, binding, body);
      const plaintext = await unsealer.unseal(body);
      return plaintext === null
        ? fail({ code: 'CANNOT_UNSEAL' })
        : wiped(plaintext, () => sealChecked(keys, binding, plaintext));
    },
    open: openCredential(parts),
    'vault.record': async ({ draft }) => {
      const recorded = await record(parts.audit, draft);
      return recorded.ok ? ok({ reply: recorded.value }) : recorded;
    },
    rotateRoot: async () => ok({ reply: { root: await keys.add('root') } }),
    rewrap: ({ binding, envelope }) => {
      const plaintext = open(keys, binding, envelope);
      return plaintext === null
        ? fail({ code: 'CANNOT_DECRYPT' })
        : wiped(plaintext, () => ok({ reply: { envelope: seal(keys, binding, plaintext) } }));
    },
    'control.newValue': newValue(keys),
    retireRoots: async () => ok({ reply: { root: await keys.retire('root') } }),
  };
}

/** Gives what `make` makes of a plaintext, which is wiped whatever happens. */
function wiped<T>(plaintext: Buffer, make: () => T): T {
  try {
    return make();
  } finally {
    plaintext.fill(0);
  }
}

function sealChecked(keys: EnclaveKeys, binding: Binding, plaintext: Buffer) {
  const problem = plaintextProblem(binding.type, plaintext);
  if (problem !== null) return fail(problem);
  const fingerprint = fingerprintOf(keys.fingerprintKey, binding, plaintext);
  const end = binding.type === 'certificate' ? certificateEnd(plaintext) : null;
  const certificateExpiresAt = end?.toISOString() ?? null;
  return ok({ reply: { envelope: seal(keys, binding, plaintext), fingerprint, certificateExpiresAt } });
}

const newValue =
  (keys: EnclaveKeys): Handlers['control.newValue'] =>
  ({ binding, envelope, version, rules }) => {
    const plaintext = open(keys, binding, envelope);
    if (plaintext === null) return fail({ code: 'CANNOT_DECRYPT' });
    return wiped(plaintext, () => {
      const value = makeValue(rules, randomInt);
      const next = withValue(plaintext, binding.type, value);
      value.fill(0);
      if (next === null) return fail({ code: 'INVALID_PLAINTEXT' });
      const bound = { ...binding, version };
      return wiped(next, () => {
        const sealed = sealChecked(keys, bound, next);
        if (!sealed.ok) return sealed;
        const { envelope, fingerprint } = sealed.value.reply;
        return ok({ reply: { binding: bound, envelope, fingerprint } });
      });
    });
  };

const openCredential =
  (parts: CredentialParts): Handlers['open'] =>
  async (request) => {
    const plaintext = open(parts.keys, request.binding, request.envelope);
    if (plaintext === null) return fail({ code: 'CANNOT_DECRYPT' });
    let isAnswer = false;
    try {
      const outcome = await handOut(parts, request, plaintext);
      isAnswer = outcome.ok && outcome.value.body === plaintext;
      return outcome;
    } finally {
      if (!isAnswer) plaintext.fill(0);
    }
  };

/** Answers a plaintext, or what it is sealed to, once the record of it is on disk. */
async function handOut(
  { audit, now }: CredentialParts,
  { binding, recipientPublicKey, ...access }: Parameters<Handlers['open']>[0],
  plaintext: Buffer,
): Promise<Outcome<'open'>> {
  const identity = binding.type === 'identity_credential' ? identityIn(plaintext, now()) : null;
  if (identity?.proof === 'false') return fail({ code: 'INVALID_PLAINTEXT', field: 'credential_json' });
  const isSealed = recipientPublicKey !== undefined;
  const body = isSealed ? await sealTo(Buffer.from(recipientPublicKey, 'base64'), plaintext) : plaintext;
  if (body === null) return fail({ code: 'INVALID_COMMAND', field: 'recipient_public_key' });
  const auditId = await recordAccess(audit, binding, { ...access, isSealed, identity });
  return auditId.ok ? ok({ reply: { auditId: auditId.value }, body }) : auditId;
}

/**
 * Checks a verifiable credential; the plaintext was validated when it was sealed. Its strings cannot be
 * wiped.
 */
function identityIn(plaintext: Buffer, now: number): IdentityState {
  const { credential_json } = JSON.parse(plaintext.toString()) as {
    credential_json: Record<string, unknown>;
  };
  return checkIdentity(credential_json, now);
}

type Access = {
  readonly actor: string;
  readonly reason: string;
  readonly agentDid?: string | undefined;
  readonly executionId?: string | undefined;
  readonly isSealed: boolean;
  readonly identity: IdentityState | null;
};

/** The `auditId` once the record is on disk; before that nothing may be answered. */
async function recordAccess(
  audit: AuditLog,
  binding: Binding,
  { actor, reason, agentDid, executionId, isSealed, identity }: Access,
): Promise<Result<string, EnclaveRefusal>> {
  const { tenantId, credentialId, serviceId, type, version } = binding;
  const appended = await audit.append({
    eventType: 'credential_access',
    tenantId,
    credentialId,
    ...(agentDid === undefined ? {} : { agentDid }),
    actor,
    detail: {
      reason,
      ...(executionId !== undefined && { execution_id: executionId }),
      serviceId,
      type,
      version,
      sealed: isSealed,
      ...(identity !== null && { identity }),
    },
  });
  if (appended.ok) return ok(appended.value.auditId);
  return fail({
    code: appended.error.code === 'AUDIT_RECORD_INVALID' ? 'INVALID_COMMAND' : 'AUDIT_UNAVAILABLE',
  });
}
