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
        return `tokens are now created under a new key; ${older === 0 ? 'older tokens stop working within 10 seconds' : `older keys still accepted: ${older}`}`;
      },
    },
    argv,
    env,
  );

const help = `countersign vault rotate-token-key [--revoke]

Switches the vault's access and refresh tokens to a new key. Older tokens stay valid until they
expire or are revoked one by one. With --revoke they all become invalid: everyone must log in
again, and agents need new tokens. The vault keeps running; each of its processes rejects older
tokens after at most 10 seconds. Action tokens and webhook keys do not change.

It connects only to the enclave (ENCLAVE_SOCKET).

Examples:
  countersign vault rotate-token-key
  countersign vault rotate-token-key --revoke
`;
