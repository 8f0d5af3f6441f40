import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { makeLocalCa } from '../local-ca.ts';
import { askAll, type Dialogue, type Judge } from './ask.ts';
import { envFile, needsEnclave } from './env-file.ts';
import { type Service, servicesIn } from './questions.ts';

/** `countersign init`: asks what it needs, and writes it, with new secrets, into a file that only its owner may read. */
export async function main(argv: readonly string[], judge: Judge): Promise<void> {
  const asked = readArguments(argv);
  if (!asked.ok) return refuse(`${asked.error}. "countersign init --help" explains.`, 2);
  const { help: wantsHelp, file, defaults } = asked.value;
  if (wantsHelp) return void process.stdout.write(help);
  // Before a person has answered for nothing.
  if (existsSync(file)) return refuse(existing(file), 1);
  const answers = await withDialogue(defaults, (dialogue) => askAll(dialogue, judge));
  if (!answers.ok) return refuse(`${answers.error}. Nothing was written.`, 1);
  const { text, wallet } = envFile(answers.value, randomBytes);
  const here = servicesIn(answers.value.services);
  // First, for it can be made again: the file would stand in the way of a second try.
  const authority = here.includes('control-plane') ? makeAuthority() : ok(null);
  const written = authority.ok ? write(file, text) : authority;
  if (!written.ok) return refuse(written.error, 1);
  process.stdout.write(nextSteps(file, here, wallet));
}

function refuse(why: string, code: 1 | 2): void {
  process.stderr.write(`init: ${why}\n`);
  process.exitCode = code;
}

function existing(file: string): string {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() !== false;
  return isFile
    ? `${file} exists and stays as it is, for it may hold the only copy of a key: name another file with --out FILE`
    : `${file} is not a file: name a new one with --out FILE`;
}

function makeAuthority(): Result<null, string> {
  try {
    makeLocalCa('.countersign', new Date());
    return ok(null);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return fail(`.countersign/tls cannot be written (${code}): run init in a writable folder`);
  }
}

/** Whole or not at all, and never over anything. */
function write(file: string, text: string): Result<null, string> {
  let opened: number | undefined;
  try {
    opened = openSync(file, 'wx', 0o600);
    writeSync(opened, text);
    return ok(null);
  } catch (error) {
    if (opened !== undefined) rmSync(file, { force: true });
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return fail(existing(file));
    return fail(`${file} cannot be written (${code}): name a file in a writable folder with --out FILE`);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** Questions go to stderr, so that the output has the result alone; answers come from a person or a pipe. */
async function withDialogue<T>(
  defaults: boolean,
  use: (dialogue: Dialogue | null) => Promise<T>,
): Promise<T> {
  if (defaults) return use(null);
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const next = lines[Symbol.asyncIterator]();
  try {
    return await use({
      say: (text) => void process.stderr.write(text),
      nextLine: async () => {
        const { done, value } = await next.next();
        return done === true ? null : value;
      },
      isPerson: process.stdin.isTTY,
    });
  } finally {
    lines.close();
  }
}

function nextSteps(file: string, here: readonly Service[], wallet: string | null): string {
  const run = (command: string): string => `  npx countersign --env ${file} ${command}\n`;
  const order = [
    ...(needsEnclave(here) ? ['enclave'] : []),
    ...here.filter((service) => service !== 'gateway'),
    ...(here.includes('gateway') ? ['gateway --http'] : []),
  ];
  return [
    `${file} is written; only you can read it.\n`,
    wallet === null ? '' : `The gateway’s wallet is ${wallet}.\n`,
    'Start, each in a terminal or unit of its own:\n',
    ...order.map(run),
    'Check what is set, and what is missing:\n',
    run('doctor'),
  ].join('');
}

function readArguments(
  argv: readonly string[],
): Result<{ readonly help: boolean; readonly file: string; readonly defaults: boolean }, string> {
  try {
    const { values } = parseArgs({ args: [...argv], options });
    if (values.out === '') return fail('--out needs a file');
    return ok({
      help: values.help === true,
      file: values.out ?? '.env',
      defaults: values.defaults === true,
    });
  } catch (error) {
    return fail(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

const options = {
  out: { type: 'string' },
  defaults: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const help = `countersign init [--out FILE] [--defaults]

Asks which services run here, at which addresses, and what they need; generates the secrets; and
writes a commented file that only you can read. An existing file is never changed. Answers may come
from a pipe, one per line; an empty line takes the default in brackets.

  --out FILE   the file (default .env)
  --defaults   ask nothing: gateway and dashboard on this machine, private databases, Base

Examples:
  countersign init
  countersign init --defaults --out demo.env && countersign --env demo.env dashboard
`;
