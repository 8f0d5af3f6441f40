import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { allVariables, variableLines } from '@countersign/service/help';
import { runService } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { readConfig, variables } from './config.ts';
import { startEnclave } from './launcher.ts';

/** Runs the command line: starts the launcher, or prints information about it. */
export async function runCommand(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(help);
  } else if (argv.length === 1 && argv[0] === '--variables') {
    process.stdout.write(allVariables('enclave', variables));
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

const usual = [
  'ENCLAVE_SOCKET',
  'ENCLAVE_DATA_DIR',
  'TEE_PROVIDER',
  'AUDIT_ORIGIN',
  'AUDIT_ANCHOR_ADDRESS',
  'SANDBOX_ISOLATION',
  'SANDBOX_CHROMIUM',
  'CONNECTOR_DRIVER',
];

const help = `countersign enclave [--variables]

The only process that sees credentials: it holds their keys, decrypts them for the vault over a Unix
socket, and signs a record of each access before it responds. It has no network. It isolates itself
with what the machine offers (its own user, namespaces, seccomp, secret memory) and states in its
attestation report what that is.

It does not start if its keys cannot be unsealed, or if its audit log is older than its own
checkpoint or the root on chain.

  --variables   lists all variables; those that are usually set:

${variableLines(variables, usual)}

Examples:
  ENCLAVE_SOCKET=/run/countersign/enclave.sock countersign enclave
  SANDBOX_ISOLATION=best countersign --env .env enclave
`;
