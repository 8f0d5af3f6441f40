// The fast loop: types, lint, format, dead code, architecture, unit tests. Stops at the first thing that is wrong.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const steps = [
  ['types', 'tsc', '-p', '.'],
  ['types of the console', 'tsc', '-p', 'apps/console'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'biome', 'format', '.'],
  ['dead code', 'knip'],
  ['undeclared dependencies', 'knip', '--strict', '--include', 'unlisted,dependencies'],
];
if (!process.argv.includes('--static')) steps.push(['unit tests', 'vitest', 'run', '--project', 'unit']);

// A pulled change may bring a package of ours that node_modules does not know yet.
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const unlinked = Object.keys(packages).filter((path) => packages[path].link && !existsSync(path));
if (unlinked.length > 0) {
  console.error(`check: ${unlinked.join(', ')} missing: run "npm install".`);
  process.exit(1);
}

for (const [name, command, ...args] of steps) {
  const started = Date.now();
  const { status } = spawnSync('npx', ['--no-install', command, ...args], { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`check: ${name} failed. "npm run fix" repairs format and simple lint.`);
    process.exit(1);
  }
  console.log(`check: ${name} ok (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
