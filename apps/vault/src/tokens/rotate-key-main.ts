import type { Env } from '@countersign/service/config';
import { EnclaveFailed } from '../enclave.ts';
import { runEnclaveCommand } from '../enclave-command.ts';

/** `countersign vault rotate-token-key`: `argv` is what follows these words. */
export const main = (argv: readonly string[], env: Env): Promise<void> =>
  runEnclaveCommand(
    {
      name: 'vault rotate-token-key',
      help,
      options: ['--revoke'],
      act: async (enclave) => {
        const revoke = argv.includes('--revoke');
        const answer = await enclave.call('rotateTokenKey', { revoke });
        if (!answer.ok) throw new EnclaveFailed('rotateTokenKey', answer.error);
        const older = answer.value.reply.keys - 1;
        return `tokens are made under a new key; ${older === 0 ? 'no older one counts, in 10 seconds at the latest' : `older ones that count on: ${older}`}`;
      },
    },
    argv,
    env,
  );

const help = `countersign vault rotate-token-key [--revoke]

Has the vault make access and refresh tokens under a new key. Those made before count until they expire or are revoked one
by one. With --revoke they count no more: everybody logs in again, and agents need new tokens. The vault goes on meanwhile;
each of its processes takes no older token after 10 seconds. Action tokens, and the keys of webhooks, stay as they are.

It speaks to the enclave alone (ENCLAVE_SOCKET).

Example:
  countersign vault rotate-token-key
`;
