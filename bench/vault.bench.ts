// what it costs to decrypt a credential over HTTP, its durable audit record included, beside the limits below it
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSystem } from '@countersign/local/system';
import { describeMachine } from './src/machine.ts';
import { headOf, saveResults } from './src/results.ts';
import { measureDecrypt } from './src/vault-decrypt.ts';
import { reportDecrypt } from './src/vault-report.ts';

const help = `Usage: npm run bench -- vault [OPTION]...

  --rounds N         rounds of each row, interleaved (default 5)
  --seconds N        length of a round (default 2)
  --callers LIST     how many ask at once (default 1,32)
  --no-save          print only
`;

type Options = {
  readonly rounds: number;
  readonly seconds: number;
  readonly callers: readonly number[];
  readonly save: boolean;
};

/** Runs the benchmark; gives the exit code. Speed is reported, never asserted: only a broken run fails. */
export async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(help);
    return 0;
  }
  const options = readOptions(args);
  if (typeof options === 'string') {
    console.error(`bench vault: ${options}\n\n${help}`);
    return 2;
  }
  const machine = describeMachine();
  const dir = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  const env = { ...process.env, RATE_LIMIT_REQUESTS: '1000000000' };
  console.log('… starting enclave, database and vault');
  const system = await startSystem({ dir, portBase: 0, env, only: ['vault user'] });
  try {
    const data = await measureDecrypt(system.card, options);
    const text = [headOf('Vault', machine), reportDecrypt(data)].join('\n\n');
    console.log(text);
    if (options.save) console.log(`\nsaved as ${saveResults('vault', machine, text, { decrypt: data })}`);
    return 0;
  } finally {
    await system.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** What is wrong with the arguments, or the options. */
function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({ args: [...args], options: argumentTypes });
    return {
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      callers: values.callers.split(',').map(Number),
      save: !values['no-save'],
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const argumentTypes = {
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '2' },
  callers: { type: 'string', default: '1,32' },
  'no-save': { type: 'boolean', default: false },
} as const;
