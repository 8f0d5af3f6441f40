import { readFileSync } from 'node:fs';
import { sayWhy } from '@countersign/service/lifecycle';
import { type Command, commands } from './commands.ts';
import { readEnvFile } from './env-file.ts';

await start(process.argv.slice(2));

/**
 * `--env FILE` before the command adds the variables of a file; those of the environment win. Node takes its own `--env-file`
 * from anywhere in the command line, so ours has another name.
 */
async function start(argv: readonly string[]): Promise<void> {
  if (argv[0] !== '--env') return run(argv);
  const [, file = '', ...rest] = argv;
  if (rest[0] === '--env') return refuse('--env is given twice: put all variables into one file.');
  const read = readEnvFile(file);
  if (!read.ok) return refuse(read.error);
  const { variables, isOpen } = read.value;
  if (isOpen) process.stderr.write(`countersign: others on this machine can read ${file}: chmod 600 it.\n`);
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
  await run(rest);
}

async function run(argv: readonly string[]): Promise<void> {
  const found = findCommand(argv);
  if (found !== null) return runCommand(found.name, found.command, argv.slice(found.words));

  if (argv[0] === '--version') return say(version());
  if (argv[0] === '--help' || argv[0] === '-h' || argv[0] === 'help') return say(help());
  const group = groupOf(argv);
  if (group !== null) return say(groupHelp(group));
  const wrong = argv.length === 0 ? 'no command given.' : `there is no command "${argv.join(' ')}".`;
  refuse(`${wrong} "countersign --help" lists them.`);
}

function refuse(why: string): void {
  process.stderr.write(`countersign: ${why}\n`);
  process.exitCode = 2;
}

/** The first word of commands of two, where help about all of them is wanted: `audit --help`; null for anything else. */
function groupOf([word = '', asked, ...more]: readonly string[]): string | null {
  const wantsHelp = more.length === 0 && (asked === '--help' || asked === '-h');
  return wantsHelp && linesOf(word).length > 0 ? word : null;
}

type Found = { readonly name: string; readonly command: Command; readonly words: number };

/** The longest command whose words the arguments begin with. */
function findCommand(argv: readonly string[]): Found | null {
  for (const words of [2, 1]) {
    const name = argv.slice(0, words).join(' ');
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command !== undefined) return { name, command, words };
  }
  return null;
}

async function runCommand(name: string, command: Command, argv: readonly string[]): Promise<void> {
  try {
    const { main } = await command.load();
    await main(argv, process.env);
  } catch (error) {
    process.stderr.write(`countersign ${name}: ${sayWhy(error)}\n`);
    process.exitCode = 1;
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function help(): string {
  return [
    'Lets an AI agent pay for tools and use credentials without being trusted with either.',
    '',
    'Usage: countersign [--env FILE] COMMAND [OPTION]...',
    '',
    ...linesOf(),
    '',
    'Services are configured by environment variables; "countersign COMMAND --variables" lists them.',
    '"countersign init" writes them into a file, and --env reads it.',
  ].join('\n');
}

function groupHelp(group: string): string {
  const usage = `Usage: countersign ${group} COMMAND [OPTION]...`;
  const more = `"countersign ${group} COMMAND --help" shows its options.`;
  return [usage, '', ...linesOf(group), '', more].join('\n');
}

/** A line for each command, or for each whose first word this is. */
function linesOf(group?: string): readonly string[] {
  const listed = Object.entries(commands).filter(
    ([name]) => group === undefined || name.startsWith(`${group} `),
  );
  const width = Math.max(...listed.map(([name]) => name.length));
  return listed.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
