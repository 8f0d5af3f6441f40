import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { runService } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { readConfig, variables } from '../config.ts';
import { startEnclave } from './launcher.ts';

/** What a person types: the launcher, or what there is to know of it. */
export async function runCommand(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(help);
  } else if (argv.length === 0) {
    const config = exitOnBadConfig('enclave', readConfig(env));
    const log = createLogger('enclave', config.logLevel);
    await runService(log, () => startEnclave(config, log));
  } else {
    process.stderr.write(
      `enclave: cannot understand "${argv.join(' ')}". Try "countersign enclave --help".\n`,
    );
    process.exit(2);
  }
}

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
