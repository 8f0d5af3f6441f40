#!/usr/bin/env node
import module from 'node:module';
import { pathToFileURL } from 'node:url';
import { build, entry, isFresh } from './build.js';
import { buildConsole, isConsoleFresh } from './build-console.js';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`countersign needs Node 20.19 or newer; this is ${process.versions.node}`);
  process.exit(1);
}
if (!isFresh()) {
  try {
    await build();
  } catch (error) {
    console.error(`countersign cannot be built: ${error.message}`);
    process.exit(1);
  }
}
// Only these two serve it; without it they run all the same, and the dashboard says so.
if (['start', 'dashboard'].includes(process.argv[2] ?? '') && !isConsoleFresh()) {
  try {
    await buildConsole();
  } catch (error) {
    console.error(`the console cannot be built: ${error.message.split('\n')[0]}`);
  }
}
// Halves the time to load the bundle, where Node has it (22.1 and newer).
module.enableCompileCache?.();
// Whoever starts another process of ours starts the bundle at once.
process.argv[1] = entry;
await import(pathToFileURL(entry).href);
