import { type Thread, WorkerFailed } from './session-worker.ts';
import { type Given, sessionTasks, type TaskName } from './tasks.ts';

/** The tasks in this thread: for what runs without the program, as tests do. */
export function workHere(): Thread {
  const tasks = sessionTasks();
  return {
    run: async (task, given) => {
      try {
        return (tasks[task] as (given: Given<TaskName>) => never)(given);
      } catch (error) {
        throw new WorkerFailed('threw', error instanceof Error ? error.name : 'Error');
      }
    },
    stop: () => {},
  };
}
