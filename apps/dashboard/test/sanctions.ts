import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@countersign/service/logger';
import { createPool } from '@countersign/service/sql';
import { onTestFinished } from 'vitest';
import { importSanctions, type SanctionsImport } from '../src/compliance/import-sanctions.ts';
import type { TestDashboard } from './dashboard.ts';

/** The list that is shipped to be tried. */
export const demoFile = join(import.meta.dirname, '../demo/sanctions-demo.xml');

/** A file in the form of OFAC's SDN.XML, gone after the running test: its path. */
export function sdnFile(date: string, addresses: readonly string[]): string {
  const entries = addresses.map(
    (address) => `<id><idType>Digital Currency Address - ETH</idType><idNumber>${address}</idNumber></id>`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'sdn-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'sdn.xml');
  writeFileSync(
    path,
    `<sdnList><publshInformation><Publish_Date>${date}</Publish_Date></publshInformation>
     <sdnEntry><idList>${entries.join('')}</idList></sdnEntry></sdnList>`,
  );
  return path;
}

/** Imports a list into the database of a dashboard, by that dashboard's clock. */
export async function importInto({ config, clock }: TestDashboard, what: SanctionsImport) {
  const pool = createPool(
    config.storage.kind === 'given' ? config.storage.url : '',
    createLogger('test', 'silent'),
  );
  try {
    return await importSanctions(pool, what, clock.now);
  } finally {
    await pool.end();
  }
}
