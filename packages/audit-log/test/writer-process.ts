import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles the program that appends in a process of its own; gives its file. */
export async function buildWriterProgram(dir: string): Promise<string> {
  const outfile = join(dir, 'writer-program.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('writer-program.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  return outfile;
}

/** What the program says: that the log is open, and what came of each append. */
export type Said =
  | { readonly open: number }
  | { readonly appended: string; readonly seq: number }
  | { readonly refused: string };

export type WriterProcess = {
  readonly pid: number;
  /** What it says, one after another; ends with it. */
  readonly said: AsyncIterableIterator<Said>;
  readonly kill: () => Promise<void>;
};

/** Starts the program on a log. `callers` append at once, each again as soon as it is answered. */
export function startWriter(program: string, dir: string, callers: number): WriterProcess {
  const writer: ChildProcess = spawn(process.execPath, [program, dir, String(callers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(writer, 'exit');
  return {
    pid: writer.pid ?? 0,
    said: linesOf(writer),
    kill: async () => {
      writer.kill('SIGKILL');
      await gone;
    },
  };
}

async function* linesOf({ stdout }: ChildProcess): AsyncGenerator<Said> {
  if (stdout === null) return;
  for await (const line of createInterface({ input: stdout })) {
    // A line that the kill tore was never said.
    if (line.endsWith('}')) yield JSON.parse(line) as Said;
  }
}
