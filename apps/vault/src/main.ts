import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { runService } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { openTracer } from '@countersign/service/trace';
import { startVault } from './app.ts';
import { readConfig, variables } from './config.ts';

/** `countersign vault`: `argv` is what follows that word. Ends the process with its exit code. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(help);
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

const help = `countersign vault                       serve credentials, tokens and the audit log over HTTP
countersign vault create-user NAME      make a user, with the password from the prompt or stdin
countersign vault rotate-root           put every credential under a new root secret
countersign vault rotate-audit-key      have the audit log signed by a new key
countersign vault rotate-token-key      have tokens made under a new key
countersign vault rotate-seal-key       give the enclave a new key that clients seal credentials to

It never holds a key of a credential: those are in the enclave ("countersign enclave"), which it reaches over a Unix
socket and waits for. The API is described at /openapi.json; /health, /ready and /metrics are for whoever watches it.

Variables:
${variables.map(([name, meaning]) => `  ${name.padEnd(29)}${meaning}`).join('\n')}

Example:
  countersign enclave &
  echo 'a good password' | countersign vault create-user alice --admin
  countersign vault
`;
