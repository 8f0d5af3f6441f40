import { randomBytes } from 'node:crypto';
import { type Env, exitOnBadConfig } from '@countersign/service/config';
import type { StorageConfig } from '@countersign/service/database';
import { runService, sayWhy } from '@countersign/service/lifecycle';
import { allVariables, variableLines } from '@countersign/service/help';
import { createLogger } from '@countersign/service/logger';
import { openTracer } from '@countersign/service/open-tracer';
import { startDashboard } from './start.ts';
import { createApiKey } from './auth/api-key.ts';
import { readConfig, readStorageConfig, variables } from './config.ts';
import { openDatabase } from './database.ts';

/** Runs `countersign dashboard`; `argv` has the words after it. Exits the process with its exit code. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  const [command, ...rest] = argv;
  if (argv.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(help);
  } else if (command === '--variables' && rest.length === 0) {
    process.stdout.write(allVariables('dashboard', variables));
  } else if (command === undefined) {
    const config = exitOnBadConfig('dashboard', readConfig(env));
    const log = createLogger('dashboard', config.logLevel);
    const tracer = await openTracer('dashboard', config.exportsTraces, log);
    await runService(log, () => startDashboard(config, { log, tracer }), tracer);
  } else if (command === 'create-operator-key' && rest.length <= 1) {
    await createOperatorKey(exitOnBadConfig('dashboard', readStorageConfig(env)), rest[0] ?? 'operator');
  } else {
    process.stderr.write(
      `dashboard: cannot understand "${argv.join(' ')}". Try "countersign dashboard --help".\n`,
    );
    process.exit(2);
  }
}

async function createOperatorKey(storage: StorageConfig, name: string): Promise<void> {
  try {
    const database = await openDatabase(storage, createLogger('dashboard', 'warn'));
    const { apiKey } = await createApiKey(database.pool, randomBytes, {
      accountId: null,
      name,
      now: new Date(),
    });
    await database.close();
    process.stdout.write(`${apiKey}\n`);
  } catch (error) {
    process.stderr.write(`dashboard: ${sayWhy(error)}\n`);
    process.exit(1);
  }
}

const usual = [
  'DATABASE_URL',
  'DASHBOARD_PUBLIC_URL',
  'DASHBOARD_PORT',
  'VAULT_URL',
  'SETTLEMENT_CHAIN_ID',
  'EVM_RPC_URL',
  'OPERATOR_ADDRESSES',
  'EVIDENCE_KEY',
];

const help = `countersign dashboard [--variables]

The server for accounts, mandates, screening and the log, with the console for people. Every payment
is refused until a sanctions list is imported: "countersign compliance import --help". The API is
described at /openapi.json; /health, /ready and /metrics are for monitoring.

  create-operator-key [NAME]   prints an API key that can read and report for every payer
  erase                        erases the personal data of one account (its own --help)
  --variables                  lists all variables; those that are usually set:

${variableLines(variables, usual)}

Examples:
  DATABASE_URL=postgres://localhost/countersign countersign dashboard
  countersign --env .env dashboard create-operator-key accounting
`;
