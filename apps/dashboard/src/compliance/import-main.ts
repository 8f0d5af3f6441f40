import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { createLogger } from '@countersign/service/logger';
import { readStorageConfig } from '../config.ts';
import { openDatabase } from '../database.ts';
import { dayOf, importSanctions } from './import-sanctions.ts';

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
    const database = await openDatabase(
      exitOnBadConfig('compliance import', readStorageConfig(env)),
      createLogger('dashboard', 'warn'),
    );
    try {
      const kind = argv.includes('--demo') ? 'demonstration' : 'official';
      const { source, listDate, addressCount } = await importSanctions(
        database.pool,
        { from, kind },
        new Date(),
      );
      process.stdout.write(`imported ${addressCount} addresses (${source}, ${dayOf(listDate)})\n`);
    } finally {
      await database.close();
    }
  }
}

const help = `countersign compliance import FILE|URL [--demo]

Imports the addresses that the dashboard's screening (KYT_PROVIDER=ofac-sdn) rejects, from OFAC's SDN.XML or
sdn_advanced.xml. The list takes the place of the earlier one at once. Screening answers an error instead of a
pass while there is no list, and when its date of publication is more than 7 days ago: import it every day.

  --demo   the file is a demonstration: it counts as published today and is never shown as OFAC's

Variables:
  DATABASE_URL        the dashboard's PostgreSQL; unset: the private one in DASHBOARD_DATA_DIR
  DASHBOARD_DATA_DIR  default .countersign

Example:
  countersign compliance import https://www.treasury.gov/ofac/downloads/sdn.xml
`;
