import type { Env } from '@countersign/service/config';
import { EnclaveFailed } from '../enclave.ts';
import { runEnclaveCommand } from '../enclave-command.ts';

/** `countersign vault rotate-seal-key`: `argv` is what follows these words. */
export const main = (argv: readonly string[], env: Env): Promise<void> =>
  runEnclaveCommand(
    {
      name: 'vault rotate-seal-key',
      help,
      options: ['--revoke'],
      act: async (enclave) => {
        const revoke = argv.includes('--revoke');
        const answer = await enclave.call('rotateSealKey', { revoke });
        if (!answer.ok) throw new EnclaveFailed('rotateSealKey', answer.error);
        return `the report now names ${answer.value.reply.sealPublicKey}; what is sealed to an older key ${revoke ? 'can no longer be opened' : 'can still be opened'}`;
      },
    },
    argv,
    env,
  );

const help = `countersign vault rotate-seal-key [--revoke]

Gives the enclave a new key that clients seal credentials to; the attestation report names it. The
enclave can still open what clients seal to an older key from an earlier attestation. With
--revoke, older keys are deleted: a client that uses one is refused until it attests the enclave
again. Stored credentials are encrypted under root secrets and do not change.

It connects only to the enclave (ENCLAVE_SOCKET).

Examples:
  countersign vault rotate-seal-key
  countersign vault rotate-seal-key --revoke
`;
