import { readFileSync } from 'node:fs';
import { sayWhy } from '@countersign/service/lifecycle';
import { type Command, commands } from './commands.ts';

await run(process.argv.slice(2));

async function run(argv: readonly string[]): Promise<void> {
  const found = findCommand(argv);
  if (found !== null) return runCommand(found.name, found.command, argv.slice(found.words));

  if (argv[0] === '--version') return say(version());
  if (argv[0] === '--help' || argv[0] === '-h' || argv[0] === 'help') return say(help());
  const group = groupOf(argv);
  if (group !== null) return say(groupHelp(group));
  const wrong = argv.length === 0 ? 'which command?' : `there is no command "${argv.join(' ')}".`;
  process.stderr.write(`countersign: ${wrong} "countersign --help" lists them.\n`);
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
    'Usage: countersign COMMAND [OPTION]...',
    '',
    ...linesOf(),
    '',
    'Services are configured by environment variables; "countersign COMMAND --help" lists them.',
  ].join('\n');
}

function groupHelp(group: string): string {
  const usage = `Usage: countersign ${group} COMMAND [OPTION]...`;
  const more = `"countersign ${group} COMMAND --help" tells more.`;
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
