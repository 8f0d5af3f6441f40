import type { Logger } from '@countersign/service/logger';
import type { RunTask, Schemas } from './run-task.ts';
import { newThread, type Thread } from './thread-handle.ts';
import type { Asked } from './thread.ts';
import { fairTurns } from './turns.ts';

/** A thread that gets no processor at all for so long is given up too. */
const maxWallMs = 60_000;
/** Limit for one tenant. */
const maxWaiting = 100;

/**
 * Runs tasks in a thread of `program`, one after the other, in turns of tenants. What is measured is the processor time that the
 * thread took, so that it depends on the task and not on what else the machine does; where the system does not tell it, time by the clock.
 */
export function limitedThread(
  program: string,
  log: Pick<Logger, 'warn'>,
  limits: { readonly maxWallMs: number; readonly maxWaiting: number } = { maxWallMs, maxWaiting },
): Schemas {
  let thread: Thread | null = null;
  const takeTurn = fairTurns(limits.maxWaiting);

  function renew(): Thread {
    thread?.stop();
    thread = newThread(program, log, limits.maxWallMs);
    return thread;
  }

  /** Runs the tasks of one turn. */
  function oneTurn(): RunTask {
    let isOurs = false;
    const ours = () => {
      isOurs = true;
      return renew();
    };

    /**
     * Retries once in a new thread if the thread ended by itself, or was full of earlier tasks' state:
     * neither is this task's fault.
     */
    async function ask(asked: Asked, maxCpuMs: number) {
      const current = thread === null || thread.isGone() ? ours() : thread;
      const ended = await current.run(asked, maxCpuMs);
      const isOfOthers = ended === 'gone' || (ended === 'out of memory' && !isOurs);
      return isOfOthers ? ours().run(asked, maxCpuMs) : ended;
    }

    async function run(asked: Asked, maxCpuMs: number): Promise<{ readonly done: unknown } | null> {
      const ended = await ask(asked, maxCpuMs);
      if (typeof ended === 'object') return ended;
      thread?.stop();
      thread = null;
      if (ended === 'gone' || ended === 'silent')
        throw new Error('the thread that reads schemas does not run: see the log');
      log.warn(
        { task: asked.task, maxCpuMs, ended },
        'a schema of a connector was given up: it takes too much',
      );
      return null;
    }

    return ((task, given, maxCpuMs) => run({ task, given }, maxCpuMs)) as RunTask;
  }

  return async (tenantId, work, patience) => {
    const turn = takeTurn(tenantId, () => work(oneTurn()), patience);
    return turn === null ? null : { value: await turn };
  };
}
