import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { runService } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { readConfig, variables } from './config.ts';

/** `countersign enclave`: `argv` is what follows that word. Ends the process with its exit code. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(help);
  } else if (argv.length === 0) {
    const config = exitOnBadConfig('enclave', readConfig(env));
    const log = createLogger('enclave', config.logLevel);
    const { startEnclave } = await import('./launch/launcher.ts');
    await runService(log, () => startEnclave(config, log));
  } else if (argv.length === 1 && isPart(argv[0]) && process.send !== undefined) {
    await parts[argv[0]]();
  } else {
    process.stderr.write(
      `enclave: cannot understand "${argv.join(' ')}". Try "countersign enclave --help".\n`,
    );
    process.exit(2);
  }
}

/** The processes of which the enclave consists; the launcher starts them. Each loads no more than it needs. */
const parts = {
  core: async () => (await import('./core/process.ts')).runCore(),
  egress: async () => (await import('./jail/egress/process.ts')).runEgress(),
  jail: async () => (await import('./jail/inside/init.ts')).runJail(),
} as const;

const isPart = (word: string | undefined): word is keyof typeof parts =>
  word !== undefined && Object.hasOwn(parts, word);

const help = `Usage: countersign enclave

The process that alone sees credentials: it keeps their keys, opens them for the vault over a Unix socket, and signs a
record of each access before it answers. It has no network. It uses what the machine offers to keep it apart (a user
of its own, namespaces, seccomp, secret memory), and tells in its attestation report what that is.

It does not start when its keys cannot be unsealed, or when its audit log is older than its own checkpoint or than the
root on chain.

Variables:
${variables.map(([name, meaning]) => `  ${name.padEnd(29)}${meaning}`).join('\n')}

Example:
  ENCLAVE_SOCKET=/run/countersign/enclave.sock countersign enclave
`;
