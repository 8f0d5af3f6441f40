// Everything that CI runs. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process';

const run = (command, ...args) => spawnSync(command, args, { stdio: 'inherit' }).status ?? 1;

if (run('node', 'scripts/check.js', '--static') !== 0) {
  console.log('0 passed, 1 failed');
  process.exit(1);
}
process.exit(run('npx', '--no-install', 'vitest', 'run'));
