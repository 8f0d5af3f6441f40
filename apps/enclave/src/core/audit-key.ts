import { publicKeyText } from '@countersign/audit-log/keys';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import { fail, ok } from '@countersign/protocol/result';
import type { Logger } from '@countersign/service/logger';
import { seedSigner } from './keys/seed-signer.ts';
import type { EnclaveKeys } from './keys/enclave-keys.ts';
import type { SecretMemory } from './keys/secret-memory.ts';
import type { Handlers, Outcome } from './serve.ts';

type Parts = {
  readonly audit: AuditLog;
  readonly keys: EnclaveKeys;
  readonly memory: SecretMemory;
  readonly log: Logger;
};

/**
 * Both seeds are on disk before the log goes over, and until it has: whenever this is cut off, the next start opens the log
 * with both and ends what was begun. One change after another.
 */
export function rotateAuditKey({ audit, keys, memory, log }: Parts): Handlers['rotateAuditKey'] {
  const rotate = async (): Promise<Outcome<'rotateAuditKey'>> => {
    await keys.beginAuditSeed();
    const rotated = await audit.rotate(seedSigner(keys.auditSeed, memory));
    if (!rotated.ok) {
      log.error({ why: rotated.error.reason }, 'the key of the audit log cannot be changed');
      return fail({ code: 'AUDIT_UNAVAILABLE' });
    }
    await keys.endAuditSeed();
    return ok({ reply: { auditPublicKey: publicKeyText(audit.signer.publicKey) } });
  };
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const rotated = last.then(rotate);
    last = rotated.catch(() => null);
    return rotated;
  };
}
