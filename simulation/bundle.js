// Bundles a module of the simulation, so that it runs at full speed: as `npm run simulate` does and as its tests do.
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ownCodeOnly } from '../scripts/own-code-only.js';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, 'dist');

/** What the module `src/NAME.ts` exports, bundled anew. */
export async function bundled(name) {
  // `.mjs`: vitest leaves it to Node.
  const outfile = join(out, `${name}-${process.pid}.mjs`);
  await build({
    entryPoints: [join(here, 'src', `${name}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [ownCodeOnly(out)],
    logLevel: 'warning',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
