import { type Env, exitOnBadConfig } from '@countersign/service/config';
import type { StorageConfig } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import { readStorageConfig } from '../config.ts';
import { openDatabase } from '../database.ts';
import { dayOf, type ImportProgress, importSanctions, type SanctionsImport } from './import-sanctions.ts';
import { isFresh } from './sanctions-store.ts';

/** `countersign compliance import`: `argv` is what follows these words. What it throws is one sentence to show. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  const words = argv.filter((word) => word !== '--demo');
  const [from] = words;
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help);
  } else if (from === undefined || words.length > 1 || from.startsWith('-')) {
    process.stderr.write(
      'compliance import: name one file or URL. Try "countersign compliance import --help".\n',
    );
    process.exitCode = 2;
  } else {
    const kind = argv.includes('--demo') ? 'demonstration' : 'official';
    await runImport({ from, kind }, exitOnBadConfig('compliance import', readStorageConfig(env)));
  }
}

async function runImport(what: SanctionsImport, storage: StorageConfig): Promise<void> {
  const now = new Date();
  const database = await openDatabase(storage, createLogger('dashboard', 'warn'));
  try {
    const list = await importSanctions(database.pool, what, now, progressTeller());
    const { source, listDate, addressCount } = list;
    process.stdout.write(`imported ${addressCount} addresses (${source}, ${dayOf(listDate)})\n`);
    if (!isFresh(list, now))
      process.stderr.write(
        'compliance import: this list is more than 7 days old, so screening does not use it\n',
      );
  } finally {
    await database.close();
  }
}

const megabyte = 1024 * 1024;

/** Tells each second how far it is; what is quicker than one says nothing. */
function progressTeller(): (progress: ImportProgress) => void {
  let told = performance.now();
  return ({ read, total }) => {
    if (performance.now() - told < 1000) return;
    told = performance.now();
    const whole = total === null ? '' : ` of ${(total / megabyte).toFixed(1)}`;
    process.stderr.write(`compliance import: read ${(read / megabyte).toFixed(1)}${whole} MB\n`);
  };
}

const help = `countersign compliance import FILE|URL [--demo]

Imports the addresses that the dashboard's screening (KYT_PROVIDER=ofac-sdn) rejects, from OFAC's
SDN.XML or sdn_advanced.xml. The list replaces the earlier one immediately. Screening returns an
error instead of a pass if there is no list or its publication date is more than 7 days ago:
import it every day.

  --demo   the file is a demonstration: it counts as published today and is never shown as OFAC's

Variables:
  DATABASE_URL        the dashboard's PostgreSQL; unset: the private one in DASHBOARD_DATA_DIR
  DASHBOARD_DATA_DIR  default .countersign

Examples:
  countersign compliance import https://www.treasury.gov/ofac/downloads/sdn.xml
  countersign compliance import demo.xml --demo
`;
