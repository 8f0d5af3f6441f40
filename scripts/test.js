// Everything that CI runs. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process';

const check = spawnSync('node', ['scripts/check.js', '--static'], { stdio: 'inherit' });
const tests = spawnSync('npx', ['--no-install', 'vitest', 'run'], { stdio: 'inherit' });
process.exit(check.status || tests.status || 0);
