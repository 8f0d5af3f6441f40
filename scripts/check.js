// The fast loop: types, lint, format, dead code, architecture, unit tests. Stops at the first thing that is wrong.
// What is known from the last run is kept in node_modules/.cache: only what changed is looked at again.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const cache = 'node_modules/.cache/countersign';
const remembering = (name) => ['--incremental', '--tsBuildInfoFile', `${cache}/${name}.tsbuildinfo`];
const dead = ['--cache', '--cache-location', `${cache}/knip`];

// The longest first: two run at a time.
const steps = [
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['types', 'tsc', '-p', '.', ...remembering('types')],
  ['types of the console', 'tsc', '-p', 'apps/console', ...remembering('console')],
  ['dead code', 'knip', ...dead],
  ['undeclared dependencies', 'knip', '--strict', '--include', 'unlisted,dependencies', ...dead],
  ['format', 'biome', 'format', '.'],
];
const atOnce = 2;

// A pulled change may bring a package of ours that node_modules does not know yet.
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const unlinked = Object.keys(packages).filter((path) => packages[path].link && !existsSync(path));
if (unlinked.length > 0) {
  console.error(`check: ${unlinked.join(', ')} missing: run "npm install".`);
  process.exit(1);
}

const running = new Set();
await Promise.all(Array.from({ length: atOnce }, runSteps));
if (!process.argv.includes('--static')) {
  const { ended } = start('vitest', ['run', '--project', 'unit'], 'inherit');
  tell('unit tests', await ended);
}

async function runSteps() {
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    const [name, command, ...args] = step;
    const { child, ended } = start(command, args, 'pipe');
    running.add(child);
    tell(name, await ended);
    running.delete(child);
  }
}

/** Runs a program of node_modules. What it prints through a pipe is kept, so that two do not speak at once. */
function start(command, args, stdio) {
  const begun = Date.now();
  const env = { FORCE_COLOR: process.stdout.isTTY ? '1' : '0', ...process.env };
  const child = spawn(`node_modules/.bin/${command}`, args, { stdio: ['ignore', stdio, stdio], env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, text: error.message, begun }));
    child.on('close', (code) => resolve({ code, text, begun }));
  });
  return { child, ended };
}

function tell(name, { code, text, begun }) {
  process.stdout.write(text);
  if (code === 0) return console.log(`check: ${name} ok (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  console.error(`check: ${name} failed. "npm run fix" repairs format and simple lint.`);
  for (const child of running) child.kill();
  process.exit(1);
}
