import { allVariables as gatewayVariables, help as gatewayHelp } from '@countersign/gateway/help';
import { startHelp } from '@countersign/local/start-options';
import { expect, onTestFinished, test, vi } from 'vitest';
import { commands } from './commands.ts';

/** What a command prints, on either stream. */
async function printed(name: string, ...argv: readonly string[]): Promise<string> {
  const texts: string[] = [];
  const code = process.exitCode;
  const writes = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => texts.push(String(text)) > 0),
  );
  onTestFinished(() => {
    for (const write of writes) write.mockRestore();
    process.exitCode = code;
  });
  await (await commands[name]?.load())?.main(argv, {});
  return texts.join('');
}

const longest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

test('the list of commands fits into 100 columns [system.cli.help]', () => {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const tooLong = Object.values(commands).filter(({ summary }) => width + 4 + summary.length > 100);
  expect(tooLong).toEqual([]);
});

/** How many lines fit a screen. */
const maxLines = 40;

// Of two the text alone: with their modules this would take seconds.
const texts: Readonly<Record<string, string>> = { start: startHelp, gateway: gatewayHelp };

test.each(Object.keys(commands))(
  '%s --help fits a screen of 40 lines and 100 columns, and has two examples [system.cli.help.screen]',
  async (name) => {
    const help = texts[name] ?? (await printed(name, '--help'));
    expect(longest(help)).toBeLessThanOrEqual(100);
    expect(help.trimEnd().split('\n').length).toBeLessThanOrEqual(maxLines);
    const examples = help.split(/^Examples:$/m)[1] ?? '';
    // One that goes on ends in a backslash.
    expect(examples.replaceAll('\\\n', ' ').trim().split('\n').length).toBeGreaterThanOrEqual(2);
    expect(examples).toMatch(
      name === 'start' ? /npm start/ : new RegExp(`countersign.*${name.split(' ').at(-1)}`),
    );
    expect(help).not.toMatch(/docs\/|\.md\b/);
  },
);

test.each(['gateway', 'dashboard', 'enclave', 'vault', 'control-plane'])(
  '%s --variables has each variable once, in 100 columns, and more than its help [system.cli.help.screen]',
  async (name) => {
    const all = name === 'gateway' ? gatewayVariables : await printed(name, '--variables');
    const help = texts[name] ?? (await printed(name, '--help'));
    const names = [...all.matchAll(/^ {2}([A-Z][A-Z0-9_]+(?:, [A-Z_]+)?) /gm)].map(([, each]) => each);
    expect(new Set(names).size).toBe(names.length);
    expect(longest(all)).toBeLessThanOrEqual(100);
    expect(help).toContain('--variables');
    for (const [, each = ''] of help.matchAll(/^ {2}([A-Z][A-Z0-9_]+) {2,}/gm)) expect(names).toContain(each);
    expect(names.length).toBeGreaterThan([...help.matchAll(/^ {2}[A-Z][A-Z0-9_]+ /gm)].length);
  },
);

test('completion without a shell says what to try [system.cli.completion]', async () => {
  expect(await printed('completion')).toBe(
    'completion: name one shell: bash, zsh or fish, as in "countersign completion bash". "countersign completion --help" explains.\n',
  );
});
