import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Migrations } from '@countersign/service/sql';

/**
 * The gateway's migrations. The folder is looked for upwards, because this code runs from its source and bundled in
 * `dist`, and both lie somewhere below the repository.
 */
export function gatewayMigrations(): Migrations {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const directory = join(folder, 'apps', 'gateway', 'migrations');
    if (existsSync(directory)) return { schema: 'gateway', directory };
    if (folder === dirname(folder))
      throw new Error('the folder apps/gateway/migrations is missing beside this program');
  }
}
