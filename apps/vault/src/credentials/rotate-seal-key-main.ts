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
        return `the report names ${answer.value.reply.sealPublicKey}; what is sealed to an older key ${revoke ? 'opens no more' : 'still opens'}`;
      },
    },
    argv,
    env,
  );

const help = `countersign vault rotate-seal-key [--revoke]

Gives the enclave a new key that clients seal credentials to; the attestation report names it. What a client seals to an
older key, because it attested the enclave before, still opens. With --revoke older keys are forgotten: a client that holds one
is refused until it attests the enclave again. Credentials that are stored are under root secrets, and do not change.

It speaks to the enclave alone (ENCLAVE_SOCKET).

Example:
  countersign vault rotate-seal-key
`;
