// In a clone: what is run is built where a source is newer.
import { build, isFresh } from './build.js';
import { buildConsole, isConsoleFresh } from './build-console.js';

/** Builds the command, and the console for who serves it. Throws where the command cannot be built. */
export async function buildOnDemand(command) {
  if (!isFresh()) await build();
  // Only these two serve it; without it they run all the same, and the dashboard says so.
  if (!['start', 'dashboard'].includes(command) || isConsoleFresh()) return;
  try {
    await buildConsole();
  } catch (error) {
    console.error(`the console cannot be built: ${error.message.split('\n')[0]}`);
  }
}
