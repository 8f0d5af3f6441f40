import { type Thread, WorkerFailed } from './session-worker.ts';
import { sessionTasks } from './tasks.ts';

/** The tasks in this thread: for what runs without the program, as tests do. */
export function workHere(): Thread {
  const doTask = sessionTasks();
  return {
    run: async (task, given) => {
      try {
        return doTask(task, given);
      } catch (error) {
        throw new WorkerFailed('threw', error instanceof Error ? error.name : 'Error');
      }
    },
    stop: () => {},
  };
}
