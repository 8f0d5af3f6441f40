import { parentPort } from 'node:worker_threads';
import { warmUpReview } from '@countersign/review/warm-up';
import { type Answer, type Do, type Given, sessionTasks, type TaskName } from './tasks.ts';

export type Asked<T extends TaskName = TaskName> = { readonly task: T; readonly given: Given<T> };
/** `threw` names the error alone: its words may be a page's. */
export type Answered = Answer | { readonly threw: string };

/** The worker of one session, in a thread of its own: one task after the other. */
export function runWorker(): void {
  if (parentPort === null) throw new Error('a worker runs in a thread of the core');
  const port = parentPort;
  const doTask = sessionTasks();
  warmUpReview();
  port.on('message', ({ task, given }: Asked) => {
    port.postMessage(doneOf(doTask, task, given));
  });
  port.postMessage({ done: null, withheld: null } satisfies Answered);
}

function doneOf(doTask: Do, task: TaskName, given: Asked['given']): Answered {
  try {
    return doTask(task, given);
  } catch (error) {
    return { threw: error instanceof Error ? error.name : 'Error' };
  }
}
