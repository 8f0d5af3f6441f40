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

Switches the audit log to a new signing key in the enclave. The old key endorses the new one in a
signer_rotated record of every chain and is then deleted. "countersign audit verify" follows these
endorsements, so a key that you already trust still verifies exports and bundles. The attestation
report names the new key. The vault keeps running. If interrupted, run the command again; the
enclave also completes an unfinished rotation when it starts.

It connects only to the enclave (ENCLAVE_SOCKET).

Examples:
  countersign vault rotate-audit-key
  ENCLAVE_SOCKET=/run/countersign/enclave.sock countersign vault rotate-audit-key
`;
