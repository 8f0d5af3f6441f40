import { parentPort } from 'node:worker_threads';
import { warmUpReview } from '@countersign/review/warm-up';
import { type Given, sessionTasks, type TaskName, type Tasks } from './tasks.ts';

export type Asked<T extends TaskName = TaskName> = { readonly task: T; readonly given: Given<T> };
/** `threw` names the error alone: its words may be a page's. */
export type Answered = { readonly done: unknown } | { readonly threw: string };

/** The worker of one session, in a thread of its own: one task after the other. */
export function runWorker(): void {
  if (parentPort === null) throw new Error('a worker runs in a thread of the core');
  const port = parentPort;
  const tasks = sessionTasks();
  warmUpReview();
  port.on('message', ({ task, given }: Asked) => {
    port.postMessage(doneOf(tasks, task, given));
  });
  port.postMessage({ done: null } satisfies Answered);
}

function doneOf(tasks: Tasks, task: TaskName, given: Asked['given']): Answered {
  try {
    return { done: (tasks[task] as (given: Asked['given']) => unknown)(given) };
  } catch (error) {
    return { threw: error instanceof Error ? error.name : 'Error' };
  }
}
