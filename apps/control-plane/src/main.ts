import { X509Certificate } from 'node:crypto';
import { isMainThread } from 'node:worker_threads';
import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { runService, sayWhy } from '@countersign/service/lifecycle';
import { allVariables, variableLines } from '@countersign/service/help';
import { createLogger, type Logger } from '@countersign/service/logger';
import { openTracer } from '@countersign/service/open-tracer';
import { type ControlPlane, startControlPlane } from './app.ts';
import { readConfig, readTlsConfig, variables } from './config.ts';

/** Runs `countersign control-plane`; `argv` has the words after it. Exits the process with its exit code. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(help);
  } else if (argv.length === 1 && argv[0] === '--variables') {
    process.stdout.write(allVariables('control-plane', variables));
  } else if (!isMainThread && argv[0] === 'schemas') {
    (await import('./schemas/thread.ts')).runSchemaThread();
  } else if (argv.length === 0) {
    const config = exitOnBadConfig('control-plane', readConfig(env));
    const log = createLogger('control-plane', config.logLevel);
    const tracer = await openTracer('control-plane', config.exportsTraces, log);
    const world = { log, tracer, now: () => new Date(), program: process.argv[1] ?? '' };
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

const usual = [
  'CONTROL_TLS_CERT',
  'CONTROL_TLS_KEY',
  'CONTROL_TLS_CLIENT_CA',
  'DATABASE_URL',
  'CONTROL_PORT',
  'ENCLAVE_SOCKET',
  'EXECUTION_CONCURRENCY',
];

const help = `countersign control-plane [--variables]

The HTTPS server for governed actions: policies, credentials, connectors, executions and the audit
log over TLS 1.3 only. Writes by admins need a client certificate of CONTROL_TLS_CLIENT_CA in
addition to the key. The API is described at /openapi.json. On SIGHUP it reloads the three
CONTROL_TLS_ files for new connections and logs whether that worked.

  create-key, revoke-key, list-keys   API keys (each has its own --help)
  --variables                         lists all variables; those that are usually set:

${variableLines(variables, usual)}

Examples:
  countersign enclave & countersign --env .env control-plane
  CONTROL_TLS_CERT=server.pem CONTROL_TLS_KEY=server-key.pem CONTROL_TLS_CLIENT_CA=ca.pem \\
    countersign control-plane
`;
