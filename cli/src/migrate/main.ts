import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Env } from '@countersign/service/config';
import { type ServiceWithDatabase, servicesWithDatabase } from '@countersign/service/service-databases';
import { examine } from './examine.ts';

/** `countersign migrate --check`: tells what an upgrade will change in the databases, and changes nothing itself. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  const asked = readArguments(argv);
  if (!asked.ok) {
    process.stderr.write(`migrate: ${asked.error}. "countersign migrate --help" explains.\n`);
    process.exitCode = 2;
    return;
  }
  if (asked.value === 'help') return void process.stdout.write(help);
  let worst = 0;
  for (const service of asked.value) {
    const { code, text } = await examine(service, env);
    process.stdout.write(`${service.padEnd(13)}  ${text}\n`);
    worst = Math.max(worst, code);
  }
  process.exitCode = worst;
}

function readArguments(argv: readonly string[]): Result<'help' | readonly ServiceWithDatabase[], string> {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    if (values.help === true) return ok('help');
    const services = servicesWithDatabase.filter((name) => positionals.includes(name));
    const unknown = positionals.find((name) => !servicesWithDatabase.some((service) => service === name));
    if (unknown !== undefined) return fail(`service not found: "${unknown}" with a database`);
    if (values.check !== true) return fail('services migrate when they start, so only --check exists');
    return ok(positionals.length === 0 ? servicesWithDatabase : services);
  } catch (error) {
    return fail(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

const options = { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

const help = `countersign migrate --check [dashboard] [vault] [control-plane]

Reports which migrations this program would apply to the databases, and whether a database is newer
than the program. Without names: all three services. It only reads, so it can run while services of
the previous release run: check, take a backup, then upgrade. Services migrate when they start.

Variables (the services' own):
  DATABASE_URL         PostgreSQL; unset: the private ones in
  DASHBOARD_DATA_DIR, VAULT_DATA_DIR, CONTROL_DATA_DIR

Exit code: 0 nothing is pending; 1 something is; 2 wrong usage; 3 a database is newer than the
program, was migrated by something else, or does not answer.

Examples:
  DATABASE_URL=postgres://db.example/countersign countersign migrate --check
  npx countersign@latest migrate --check dashboard
`;
