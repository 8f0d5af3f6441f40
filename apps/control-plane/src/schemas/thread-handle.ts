import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { Answered, Asked } from './thread.ts';

/** In mebibytes. Generated code nests as deeply as a schema has members. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 16 };
const lookMs = 20;

export type Thread = {
  /**
   * `given up`: the task took too much time; `out of memory`: with all that it was asked before; `gone`: the thread ended by itself;
   * `silent`: it never began.
   */
  readonly run: (
    asked: Asked,
    maxCpuMs: number,
  ) => Promise<{ readonly done: unknown } | Exclude<Heard, Answered> | 'silent'>;
  readonly isGone: () => boolean;
  readonly stop: () => void;
};

type Heard = Answered | 'given up' | 'out of memory' | 'gone';

/** A new thread of `program`. What ends it is logged. */
export function newThread(program: string, log: Pick<Logger, 'warn'>, maxWallMs: number): Thread {
  const worker = new Worker(program, { argv: ['control-plane', 'schemas'], env: {}, resourceLimits });
  worker.unref();
  let isGone = false;
  let hear: ((heard: Heard) => void) | null = null;
  const answer = () => new Promise<Heard>((resolve) => (hear = resolve));
  worker.on('message', (answered: Answered) => hear?.(answered));
  worker.on('error', (error: Error) => {
    log.warn({ why: sayWhy(error) }, 'the thread that reads schemas died');
    isGone = true;
    hear?.('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : 'gone');
  });
  worker.on('exit', () => {
    isGone = true;
    hear?.('gone');
  });
  const first = answer();
  const giveUp = () => hear?.('given up');
  return {
    async run(asked, maxCpuMs) {
      const patience = setTimeout(giveUp, maxWallMs);
      const said = await first.finally(() => clearTimeout(patience));
      if (typeof said === 'string' || !('thread' in said)) return 'silent';
      if (isGone) return 'gone';
      const answered = answer();
      worker.postMessage(asked, []);
      const watch = givingUp(said.thread, { maxCpuMs, maxWallMs }, giveUp);
      const heard = await answered.finally(() => clearInterval(watch));
      if (typeof heard === 'string') return heard;
      return 'done' in heard ? heard : 'gone';
    },
    isGone: () => isGone,
    stop: () => void worker.terminate(),
  };
}

/** Calls once too much time was taken. */
function givingUp(
  thread: string | null,
  { maxCpuMs, maxWallMs }: { readonly maxCpuMs: number; readonly maxWallMs: number },
  giveUp: () => void,
): NodeJS.Timeout {
  const begunAt = performance.now();
  const byClock = () => performance.now() - begunAt;
  const before = cpuMsOf(thread);
  const taken = () => {
    const now = cpuMsOf(thread);
    return before === null || now === null ? byClock() : now - before;
  };
  return setInterval(() => {
    if (taken() > maxCpuMs || byClock() > maxWallMs) giveUp();
  }, lookMs);
}

/** Milliseconds of processor time that a thread of this process has taken; null where the system does not say. */
function cpuMsOf(thread: string | null): number | null {
  if (thread === null) return null;
  try {
    // Its name, in parentheses, may hold anything; 14th and 15th of proc(5) are hundredths of seconds.
    const [, after = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/self/task/${thread}/stat`, 'latin1')) ?? [];
    const [user, system] = after.split(' ').slice(11, 13).map(Number);
    return user === undefined || system === undefined ? null : (user + system) * 10;
  } catch {
    return null;
  }
}
