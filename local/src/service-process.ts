import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Env } from '@countersign/service/config';
import { type Ended, endedText, type OwnedProcesses } from '@countersign/service/owned-process';

export type Command = {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: Env;
  /** The content of its stdin. */
  readonly input?: string;
};

const bundle = fileURLToPath(new URL('../../dist/countersign.js', import.meta.url));
const startDeadlineMs = 30_000;

/**
 * Starts one of our services as a process of its own. Resolves once it says that it is ready, or answers 200 at
 * `health` (null: it has no HTTP).
 */
export async function startService(
  processes: OwnedProcesses,
  { name, argv, env }: Command,
  health: string | null,
): Promise<void> {
  const child = processes.spawn({ name, ...nodeCommand(argv), env, ipc: true });
  const deadline = Date.now() + startDeadlineMs;
  const told = child.ready.then(
    () => 'ready' as const,
    () => child.exited,
  );
  for (;;) {
    const news = await Promise.race([told, sleep(25, null)]);
    if (news === 'ready' || (news === null && health !== null && (await get(health))?.status === 200)) return;
    if (news !== null) throw new Error(`${name} ${sayEnd(news)}`);
    if (Date.now() > deadline) throw new Error(`${name} was not ready within ${startDeadlineMs / 1000} s`);
  }
}

/** The answer to a GET; null when none came within five seconds. */
export async function get(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string } | null> {
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(5000) });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return null;
  }
}

/** Runs one of our commands to its end. Gives the last line it printed, which may be a secret. */
export async function runCommand(
  processes: OwnedProcesses,
  { name, argv, env, input }: Command,
): Promise<string> {
  const child = processes.spawn({
    name,
    ...nodeCommand(argv),
    env,
    oneShot: true,
    secretOutput: true,
    ...(input !== undefined && { input }),
  });
  const ended = await child.exited;
  if (ended.code !== 0) throw new Error(`${name} ${sayEnd(ended)}`);
  return ended.lastLines.at(-1) ?? '';
}

function nodeCommand(argv: readonly string[]): { command: string; args: readonly string[] } {
  if (!existsSync(bundle)) throw new Error(`${bundle} is missing; "npx countersign --version" builds it`);
  return { command: process.execPath, args: [bundle, ...argv] };
}

/** A wrong configuration is told in several lines, and each of them matters. */
function sayEnd(ended: Ended): string {
  return ended.code === 2 ? `ended with code 2: ${ended.lastLines.join('; ')}` : endedText(ended);
}
