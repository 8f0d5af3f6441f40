import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Migrations } from '@countersign/service/sql';

/**
 * The dashboard's migrations. The folder is looked for upwards, because this code runs from its source and
 * bundled in `dist`, and both lie somewhere below the repository.
 */
export function dashboardMigrations(): Migrations {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const directory = join(folder, 'apps', 'dashboard', 'migrations');
    if (existsSync(directory)) return { schema: 'dashboard', directory };
    if (folder === dirname(folder))
      throw new Error('the folder apps/dashboard/migrations is missing beside this program');
  }
}
