// `npm run bench -- NAME [OPTION]...`: bundles one benchmark (NAME.bench.ts beside this file) and runs it.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { build as buildCommand, isFresh } from '../cli/bin/build.js';
import { benches, bundleOf, fileOf } from './bundle.js';

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
  const [first = ''] = readFileSync(fileOf(bench), 'utf8').split('\n', 1);
  return first.replace(/^\/\/\s*/, '');
}

async function run(bench, args) {
  const bundle = bundleOf(bench);
  await build(bundle);
  const { main } = await import(pathToFileURL(bundle.outfile).href);
  // A connection that some peer never closed keeps nobody waiting.
  process.exit(await main(args));
}
