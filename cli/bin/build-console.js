// Builds the owner's web console into dist/console, which the dashboard serves.
import { execFile } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isOlder, modifiedAt } from './age.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const source = join(root, 'apps/console');
const dist = join(root, 'dist');
const built = join(dist, 'console');
const vite = join(root, 'node_modules/vite/bin/vite.js');

/** Whether every source of the console is older than its build. */
export function isConsoleFresh() {
  const time = modifiedAt(join(built, 'index.html'));
  const files = ['index.html', 'vite.config.ts', 'package.json'].map((name) => join(source, name));
  // The pages run the log's own checks.
  const shared = ['protocol', 'audit-log'].map((name) => join(root, 'packages', name, 'src'));
  const folders = [join(source, 'src'), join(source, 'public'), ...shared];
  const alone = [...files, join(root, 'package-lock.json'), fileURLToPath(import.meta.url)];
  return (
    time > 0 &&
    alone.every((file) => modifiedAt(file) < time) &&
    folders.every((folder) => isOlder(folder, time))
  );
}

/** Builds aside and moves it in place whole. A dashboard that runs has its console in memory and keeps it. */
export async function buildConsole() {
  const aside = join(dist, `.tmp-console-${process.pid}-${Date.now()}`);
  const started = new Date();
  mkdirSync(aside, { recursive: true });
  try {
    const outDir = join(aside, 'new');
    const argv = [vite, 'build', source, '--outDir', outDir, '--logLevel', 'error'];
    // Whoever builds, a test or a developer: what is served is for production.
    await promisify(execFile)(process.execPath, argv, { env: { ...process.env, NODE_ENV: 'production' } });
    // The age of the sources that were read, not of the output: an edit during the build makes it stale.
    utimesSync(join(outDir, 'index.html'), started, started);
    moveInPlace(outDir, join(aside, 'old'));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function moveInPlace(fresh, old) {
  try {
    renameSync(built, old);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  try {
    renameSync(fresh, built);
  } catch (error) {
    // Another build was here in between: what it built is as good as ours.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  }
}
