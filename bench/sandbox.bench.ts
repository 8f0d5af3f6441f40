// what a browser session costs: its first operation, and fill, click, goto and screenshot beside plain playwright-core
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSystem } from '@countersign/local/system';
import { describeMachine } from './src/machine.ts';
import { headOf, saveResults } from './src/results.ts';
import { measureSandbox } from './src/sandbox.ts';
import { reportSandbox } from './src/sandbox-report.ts';

const help = `Usage: npm run bench -- sandbox [OPTION]...

  --rounds N         rounds of each operation, interleaved with the peer's (default 40)
  --starts N         sessions that are opened cold, and as many warm (default 5)
  --sessions N       sessions at a time (default 8)
  --no-save          print only

Both sides use the Chromium that sessions get: SANDBOX_CHROMIUM, else the system's, else the one that comes along.
`;

/** Runs the benchmark; gives the exit code. Speed is reported, never asserted: only a broken run fails. */
export async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(help);
    return 0;
  }
  const options = readOptions(args);
  if (typeof options === 'string') {
    console.error(`bench sandbox: ${options}\n\n${help}`);
    return 2;
  }
  const machine = describeMachine();
  const dir = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  const env = { ...process.env, RATE_LIMIT_REQUESTS: '1000000000', SANDBOX_ALLOW_PRIVATE: '127.0.0.1' };
  console.log('… starting enclave, database and vault');
  const system = await startSystem({ dir, portBase: 0, env, only: ['vault user'] });
  try {
    const data = await measureSandbox(system.card, options);
    const text = [headOf('Browser sessions', machine), reportSandbox(data)].join('\n\n');
    console.log(text);
    if (options.save) console.log(`\nsaved as ${saveResults('sandbox', machine, text, data)}`);
    return 0;
  } finally {
    await system.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** What is wrong with the arguments, or the options. */
function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({ args: [...args], options: argumentTypes });
    return {
      rounds: Number(values.rounds),
      starts: Number(values.starts),
      sessions: Number(values.sessions),
      save: !values['no-save'],
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const argumentTypes = {
  rounds: { type: 'string', default: '40' },
  starts: { type: 'string', default: '5' },
  sessions: { type: 'string', default: '8' },
  'no-save': { type: 'boolean', default: false },
} as const;
