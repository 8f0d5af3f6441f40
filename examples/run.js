// node examples/run.js NAME [ARGUMENT]...: runs an example from its TypeScript, on any Node that Countersign runs on.
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const name = process.argv[2] ?? '';
const outfile = join(here, '..', 'dist', 'examples', `${name}-${process.pid}.js`);
const commonJs = `import { createRequire as __required } from 'node:module'; const require = __required(import.meta.url);`;
await build({
  entryPoints: [join(here, `${name}.ts`)],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  banner: { js: commonJs },
  logLevel: 'warning',
});
process.on('exit', () => rmSync(outfile, { force: true }));
process.argv.splice(1, 2, outfile);
await import(pathToFileURL(outfile).href);
