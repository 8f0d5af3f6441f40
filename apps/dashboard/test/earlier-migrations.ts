import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrationsOf } from '@countersign/service/database';
import { onTestFinished } from 'vitest';

/** A folder of the dashboard's migrations before this one, as an earlier build had them; it is there until the test ends. */
export function migrationsBefore(number: string): string {
  const { directory } = migrationsOf('dashboard');
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of readdirSync(directory).filter((file) => file < number))
    copyFileSync(join(directory, name), join(folder, name));
  return folder;
}
