import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownCodeOnly } from '../scripts/own-code-only.js';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, 'dist');

/** The names of all benchmarks. */
export function benches() {
  const files = readdirSync(here).filter((file) => file.endsWith('.bench.ts'));
  return files.map((file) => file.slice(0, -'.bench.ts'.length)).sort();
}

export const fileOf = (name) => join(here, `${name}.bench.ts`);

/** How esbuild bundles a benchmark. */
export const bundleOf = (name) => ({
  entryPoints: [fileOf(name)],
  outfile: join(out, `${name}.js`),
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
  plugins: [ownCodeOnly(out)],
  logLevel: 'warning',
});
