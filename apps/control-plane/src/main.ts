import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { runService } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { openTracer } from '@countersign/service/trace';
import { startControlPlane } from './app.ts';
import { readConfig, variables } from './config.ts';

/** `countersign control-plane`: `argv` is what follows that word. Ends the process with its exit code. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(help);
  } else if (argv.length === 0) {
    const config = exitOnBadConfig('control-plane', readConfig(env));
    const log = createLogger('control-plane', config.logLevel);
    const tracer = await openTracer('control-plane', config.exportsTraces, log);
    const world = { log, tracer, now: () => new Date() };
    await runService(log, () => startControlPlane(config, world), tracer);
  } else {
    process.stderr.write(
      `control-plane: cannot understand "${argv.join(' ')}". Try "countersign control-plane --help".\n`,
    );
    process.exit(2);
  }
}

const help = `countersign control-plane                serve policies and credentials for governed actions, over HTTPS
countersign control-plane create-key     make an API key

Preview: policies, credentials and the audit log; executions are not there yet. It speaks TLS 1.3 alone. Writes of
admins need a client certificate of CONTROL_TLS_CLIENT_CA besides the key. The API is described at /openapi.json.

Variables:
${variables.map(([name, meaning]) => `  ${name.padEnd(29)}${meaning}`).join('\n')}

Example:
  countersign enclave &
  countersign control-plane create-key --role admin
  CONTROL_TLS_CERT=server.pem CONTROL_TLS_KEY=server-key.pem CONTROL_TLS_CLIENT_CA=ca.pem countersign control-plane
`;
