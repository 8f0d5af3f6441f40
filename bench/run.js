// `npm run bench -- NAME [OPTION]...`: bundles one benchmark (NAME.bench.ts beside this file) and runs it.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { build as buildCommand, isFresh } from '../cli/bin/build.js';
import { ownCodeOnly } from '../scripts/own-code-only.js';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, 'dist');

const [name, ...options] = process.argv.slice(2);
if (name === undefined || name === '--help' || name === '-h') {
  console.log(help());
} else if (benches().includes(name)) {
  // What is measured is what stands in the sources now.
  if (!isFresh()) await buildCommand();
  await run(name, options);
} else {
  console.error(`bench: there is no benchmark "${name}".\n\n${help()}`);
  process.exitCode = 2;
}

function benches() {
  const files = readdirSync(here).filter((file) => file.endsWith('.bench.ts'));
  return files.map((file) => file.slice(0, -'.bench.ts'.length)).sort();
}

function help() {
  const lines = benches().map((bench) => `  ${bench.padEnd(12)}${summary(bench)}`);
  return [
    'Usage: npm run bench -- NAME [OPTION]...',
    '',
    ...lines,
    '',
    'Each prints tables, ours and the others in one interleaved run, and saves them under bench/results.',
    '"npm run bench -- NAME --help" lists the options.',
  ].join('\n');
}

/** A benchmark's first line is a comment that says what it measures. */
function summary(bench) {
  const [first = ''] = readFileSync(join(here, `${bench}.bench.ts`), 'utf8').split('\n', 1);
  return first.replace(/^\/\/\s*/, '');
}

async function run(bench, args) {
  const file = join(out, `${bench}.js`);
  await build({
    entryPoints: [join(here, `${bench}.bench.ts`)],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    plugins: [ownCodeOnly(out)],
    logLevel: 'warning',
  });
  const { main } = await import(pathToFileURL(file).href);
  // A connection that some peer never closed keeps nobody waiting.
  process.exit(await main(args));
}
