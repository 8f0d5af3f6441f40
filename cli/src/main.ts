import { readFileSync } from 'node:fs';
import { sayWhy } from '@countersign/service/lifecycle';
import { type Command, commands } from './commands.ts';

await run(process.argv.slice(2));

async function run(argv: readonly string[]): Promise<void> {
  const found = findCommand(argv);
  if (found !== null) return runCommand(found.name, found.command, argv.slice(found.words));

  if (argv[0] === '--version') return say(version());
  if (argv[0] === '--help' || argv[0] === '-h' || argv[0] === 'help') return say(help());
  const wrong = argv.length === 0 ? 'which command?' : `there is no command "${argv.join(' ')}".`;
  process.stderr.write(`countersign: ${wrong} "countersign --help" lists them.\n`);
  process.exitCode = 2;
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
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Lets an AI agent pay for tools and use credentials without being trusted with either.',
    '',
    'Usage: countersign COMMAND [OPTION]...',
    '',
    ...lines,
    '',
    'Services are configured by environment variables; "countersign COMMAND --help" lists them.',
  ].join('\n');
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
