import { commands } from './commands.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** `countersign completion SHELL`: prints what makes a shell complete our commands. */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) return void process.stdout.write(help);
  const shell = shells.find((name) => name === argv[0]);
  if (shell === undefined || argv.length > 1) {
    process.stderr.write(
      'completion: name one shell: bash, zsh or fish, as in "countersign completion bash". "countersign completion --help" explains.\n',
    );
    process.exitCode = 2;
    return;
  }
  process.stdout.write(
    scripts[shell](Object.entries(commands).map(([name, { summary }]) => ({ name, summary }))),
  );
}

type Listed = readonly { readonly name: string; readonly summary: string }[];

/** First words, and the second words after each. No name has a character that a shell reads otherwise. */
function wordsOf(listed: Listed) {
  const first = [...new Set(listed.map(({ name }) => name.split(' ')[0] ?? ''))];
  const second = first.map((word) => ({
    word,
    next: listed.flatMap(({ name }) => (name.startsWith(`${word} `) ? [name.slice(word.length + 1)] : [])),
  }));
  return { first, second: second.filter(({ next }) => next.length > 0) };
}

const bash = (listed: Listed): string => {
  const { first, second } = wordsOf(listed);
  const cases = second.map(({ word, next }) => `    ${word}) words="${next.join(' ')} --help" ;;`);
  return [
    '_countersign() {',
    '  local words="--help"',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words="${first.join(' ')} --help --version"`,
    '  elif [ "$COMP_CWORD" -eq 2 ]; then case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _countersign countersign',
    '',
  ].join('\n');
};

const scripts = {
  bash,
  // Its own emulation of bash's, so that there is one truth.
  zsh: (listed: Listed): string => `autoload -U +X bashcompinit && bashcompinit\n${bash(listed)}`,
  fish(listed: Listed): string {
    const { second } = wordsOf(listed);
    const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
    const top = listed
      .filter(({ name }) => !name.includes(' '))
      .map(
        ({ name, summary }) =>
          `complete -c countersign -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      );
    const below = second.map(
      ({ word, next }) =>
        `complete -c countersign -n "__fish_seen_subcommand_from ${word}" -a ${quoted(next.join(' '))}`,
    );
    const groups = second
      .filter(({ word }) => !listed.some(({ name }) => name === word))
      .map(({ word }) => `complete -c countersign -n __fish_use_subcommand -a ${word}`);
    return [...top, ...groups, ...below, ''].join('\n');
  },
} as const;

const help = `countersign completion bash|zsh|fish

Prints what makes your shell complete the commands. Put the line into its start file.

Examples:
  eval "$(countersign completion bash)"        # ~/.bashrc; zsh: the same with zsh, in ~/.zshrc
  countersign completion fish | source         # ~/.config/fish/config.fish
`;
