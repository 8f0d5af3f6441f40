import { execFileSync } from 'node:child_process';
import { expect, onTestFinished, test, vi } from 'vitest';
import { main } from './completion.ts';

/** What the command prints. */
async function printed(...argv: readonly string[]): Promise<string> {
  const texts: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => texts.push(String(text)) > 0);
  onTestFinished(() => write.mockRestore());
  await main(argv);
  write.mockRestore();
  return texts.join('');
}

/** What bash offers for these words, the last of which is begun. */
const offered = (script: string, ...words: readonly string[]): readonly string[] =>
  execFileSync(
    'bash',
    [
      '-c',
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _countersign; printf '%s\\n' "\${COMPREPLY[@]}"`,
      '-',
      ...words,
    ],
    { encoding: 'utf8' },
  )
    .trim()
    .split('\n');

test('bash completes first and second words of every command [system.cli.completion]', async () => {
  const script = await printed('bash');
  expect(offered(script, 'countersign', 'aud')).toEqual(['audit']);
  expect(offered(script, 'countersign', 'vault', 'rotate-')).toEqual([
    'rotate-root',
    'rotate-audit-key',
    'rotate-token-key',
    'rotate-seal-key',
  ]);
  expect(offered(script, 'countersign', 'start', '-')).toEqual(['--help']);
});

test('zsh gets the same by its emulation of bash, and fish a line for each command [system.cli.completion]', async () => {
  expect(await printed('zsh')).toContain(await printed('bash'));
  const fish = await printed('fish');
  expect(fish).toContain('-a audit\n');
  expect(fish).toContain('-n "__fish_seen_subcommand_from receipt" -a \'export verify\'');
  expect(fish).not.toMatch(/[^\\]'s /);
});
