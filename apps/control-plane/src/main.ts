import { X509Certificate } from 'node:crypto';
import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { runService, sayWhy } from '@countersign/service/lifecycle';
import { createLogger, type Logger } from '@countersign/service/logger';
import { openTracer } from '@countersign/service/trace';
import { type ControlPlane, startControlPlane } from './app.ts';
import { readConfig, readTlsConfig, variables } from './config.ts';

/** `countersign control-plane`: `argv` is what follows that word. Ends the process with its exit code. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(help);
  } else if (argv.length === 0) {
    const config = exitOnBadConfig('control-plane', readConfig(env));
    const log = createLogger('control-plane', config.logLevel);
    const tracer = await openTracer('control-plane', config.exportsTraces, log);
    const world = { log, tracer, now: () => new Date() };
    const start = async () => {
      const controlPlane = await startControlPlane(config, world);
      process.on('SIGHUP', () => renewTls(controlPlane, env, log));
      return controlPlane;
    };
    await runService(log, start, tracer);
  } else {
    process.stderr.write(
      `control-plane: cannot understand "${argv.join(' ')}". Try "countersign control-plane --help".\n`,
    );
    process.exit(2);
  }
}

/** Takes the files with certificates and key as they are now; where they cannot be used, the ones before stay in use. */
function renewTls(controlPlane: ControlPlane, env: Env, log: Logger): void {
  const tls = readTlsConfig(env);
  try {
    if (!tls.ok) throw new Error(tls.error.join('; '));
    controlPlane.renewTls(tls.value);
    const { subject, validTo } = new X509Certificate(tls.value.cert);
    log.info({ subject, validTo }, 'new connections get the renewed TLS certificate');
  } catch (error) {
    log.error({ why: sayWhy(error) }, 'the TLS certificate before stays in use: the new one cannot be used');
  }
}

const help = `countersign control-plane                serve policies and credentials for governed actions, over HTTPS
countersign control-plane create-key     make an API key
countersign control-plane revoke-key     end one
countersign control-plane list-keys      tell their names

Policies, credentials, connectors, executions and the audit log. It speaks TLS 1.3 alone. Writes of
admins need a client certificate of CONTROL_TLS_CLIENT_CA besides the key. The API is described at /openapi.json.
SIGHUP has it take the three CONTROL_TLS_ files anew for new connections; it says in its log whether it could.

Variables:
${variables.map(([name, meaning]) => `  ${name.padEnd(29)}${meaning}`).join('\n')}

Example:
  countersign enclave &
  countersign control-plane create-key --role admin
  CONTROL_TLS_CERT=server.pem CONTROL_TLS_KEY=server-key.pem CONTROL_TLS_CLIENT_CA=ca.pem countersign control-plane
`;
