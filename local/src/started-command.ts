import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@countersign/service/free-port';
import { isRunning, type ProcessIdentity } from '@countersign/service/process-identity';
import type { ConnectionCard } from './connection-card.ts';
import { assertPlanFree, planPorts } from './port-plan.ts';

const bin = fileURLToPath(new URL('../../cli/bin/countersign.js', import.meta.url));

/** `countersign start` in a process of its own, for tests. */
export type StartedCommand = {
  readonly pid: number;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Resolves once it has printed this; rejects, with what it printed instead, if it ends before. */
  readonly printed: (text: string) => Promise<void>;
  /** Its output so far. */
  readonly stdout: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
};

/** Runs `countersign start` with these options and variables. */
export function runStart(args: readonly string[], env: NodeJS.ProcessEnv = {}): StartedCommand {
  const child = spawn(process.execPath, [bin, 'start', ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
  return {
    pid: child.pid ?? 0,
    ended,
    printed: async (text) => {
      while (!output.stdout.includes(text)) {
        const more = await Promise.race([once(child.stdout, 'data'), ended]);
        if ('code' in more && !output.stdout.includes(text)) throw new Error(JSON.stringify(output));
      }
    },
    stdout: () => output.stdout,
    kill: (signal) => void child.kill(signal),
  };
}

/** The connection card in `dir`, or null. */
export function readCard(dir: string): ConnectionCard | null {
  const file = join(dir, 'local.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ConnectionCard) : null;
}

/** Every process that a running system in `dir` owns, and the one that owns them. */
export function processesOf(dir: string): readonly (ProcessIdentity & { readonly name: string })[] {
  const { owner, children } = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as {
    owner: ProcessIdentity;
    children: (ProcessIdentity & { name: string })[];
  };
  return [{ ...owner, name: 'start' }, ...children];
}

/** Names of those that still run, ten seconds at the latest after the first look. */
export async function survivorsOf(processes: ReturnType<typeof processesOf>): Promise<readonly string[]> {
  const deadline = Date.now() + 10_000;
  let running = processes.filter(isRunning);
  while (running.length > 0 && Date.now() < deadline) {
    await sleep(20);
    running = running.filter(isRunning);
  }
  return running.map(({ name }) => name);
}

/** The first of some ports in a row that are free now. */
export async function freePortBase(): Promise<number> {
  for (;;) {
    const base = await freePort();
    const plan = base > 65_000 ? null : await planPorts(base);
    if (plan === null) continue;
    try {
      await assertPlanFree(plan, [
        'gateway',
        'dashboard',
        'vault',
        'facilitator',
        'chain',
        'quotes',
        'archive',
        'database',
        'shop',
        'door',
      ]);
      return base;
    } catch {
      // Somebody has one of them: elsewhere, then.
    }
  }
}
