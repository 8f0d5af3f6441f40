import type { Env } from '@countersign/service/config';
import { EnclaveFailed } from '../enclave.ts';
import { runEnclaveCommand } from '../enclave-command.ts';

/** `countersign vault rotate-audit-key`: `argv` is what follows these words. */
export const main = (argv: readonly string[], env: Env): Promise<void> =>
  runEnclaveCommand(
    {
      name: 'vault rotate-audit-key',
      help,
      act: async (enclave) => {
        const answer = await enclave.call('rotateAuditKey', {});
        if (!answer.ok) throw new EnclaveFailed('rotateAuditKey', answer.error);
        return `the audit log is signed by ${answer.value.reply.auditPublicKey} from here on; the key before is forgotten`;
      },
    },
    argv,
    env,
  );

const help = `countersign vault rotate-audit-key

Has the enclave sign the audit log with a new key. The key before endorses it in a record signer_rotated of every chain, and
is then forgotten; "countersign audit verify" follows from each to the other, so a key that somebody trusts stays good for
exports and bundles. The attestation report names the new key. The vault goes on meanwhile. Interrupted, it can be run
again, and the enclave brings to its end what was begun when it starts.

It speaks to the enclave alone (ENCLAVE_SOCKET).

Example:
  countersign vault rotate-audit-key
`;
