#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `countersign needs Node 20.19 or newer; this is ${process.versions.node}: install Node 22 or newer`,
  );
  process.exit(1);
}
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
// The npm package has the build alone.
if (existsSync(join(root, 'cli/src'))) {
  try {
    const { buildOnDemand } = await import('./build-on-demand.js');
    const words = process.argv.slice(2);
    await buildOnDemand((words[0] === '--env' ? words[2] : words[0]) ?? '');
  } catch (error) {
    const isHalf = error.code === 'ERR_MODULE_NOT_FOUND';
    const why = isHalf ? 'not all packages are installed: run "npm ci"' : error.message;
    console.error(`countersign cannot be built: ${why}`);
    process.exit(1);
  }
}
const entry = join(root, 'dist/countersign.js');
// Halves the time to load the bundle, where Node has it (22.1 and newer).
module.enableCompileCache?.();
// Whoever starts another process of ours starts the bundle at once.
process.argv[1] = entry;
await import(pathToFileURL(entry).href);
