import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { runService } from '@countersign/service/lifecycle';
import { allVariables, variableLines } from '@countersign/service/help';
import { createLogger } from '@countersign/service/logger';
import { openTracer } from '@countersign/service/open-tracer';
import { startVault } from './app.ts';
import { readConfig, variables } from './config.ts';

/** Runs `countersign vault`; `argv` has the words after it. Exits the process with its exit code. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(help);
  } else if (argv.length === 1 && argv[0] === '--variables') {
    process.stdout.write(allVariables('vault', variables));
  } else if (argv.length === 0) {
    const config = exitOnBadConfig('vault', readConfig(env));
    const log = createLogger('vault', config.logLevel);
    const tracer = await openTracer('vault', config.exportsTraces, log);
    await runService(log, () => startVault(config, { log, tracer, now: () => new Date() }), tracer);
  } else {
    process.stderr.write(`vault: cannot understand "${argv.join(' ')}". Try "countersign vault --help".\n`);
    process.exit(2);
  }
}

const usual = [
  'DATABASE_URL',
  'VAULT_PORT',
  'VAULT_CONSOLE_ORIGIN',
  'ENCLAVE_SOCKET',
  'AUDIT_ANCHOR_ADDRESS',
];

const help = `countersign vault [--variables]

The HTTP server for credentials, tokens and the audit log. It never holds credential keys: they are
in the enclave ("countersign enclave"), which it reaches over a Unix socket and waits for. The API
is described at /openapi.json; /health, /ready and /metrics are for monitoring.

  create-user NAME   creates a user; the password comes from a prompt or stdin
  rotate-root        moves every credential to a new root secret
  rotate-audit-key   switches the audit log to a new signing key
  rotate-token-key   switches to a new key for tokens
  rotate-seal-key    gives the enclave a new key that clients seal credentials to
  --variables        lists all variables; those that are usually set:

${variableLines(variables, usual)}

Examples:
  countersign enclave & countersign vault
  echo 'a good password' | countersign vault create-user alice --admin
`;
