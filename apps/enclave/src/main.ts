import { isMainThread } from 'node:worker_threads';
import type { Env } from '@countersign/service/config';

/** Runs `countersign enclave`; `argv` has the words after it. Exits the process with its exit code. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  const [word, more = ''] = argv;
  if (!isMainThread && word === 'worker') {
    (await import('./core/session/worker/thread.ts')).runWorker();
  } else if (argv.length === 1 && isPart(word) && process.send !== undefined) {
    await parts[word]();
  } else if (word === 'connector' && argv.length <= 2 && !/^(-h|--help)$/.test(more)) {
    // Without a channel: a container has none.
    await (await import('./connector/main.ts')).runConnector(argv[1]);
  } else {
    await (await import('./launcher/command.ts')).runCommand(argv, env);
  }
}

/** The processes of which the enclave consists; the launcher starts them. Each loads no more than it needs. */
const parts = {
  core: async () => (await import('./core/process.ts')).runCore(),
  egress: async () => (await import('./egress/process.ts')).runEgress(),
  jail: async () => (await import('./jailed/init.ts')).runJail(),
} as const;

const isPart = (word: string | undefined): word is keyof typeof parts =>
  word !== undefined && Object.hasOwn(parts, word);
