import type { RunTask, Schemas } from '../src/schemas/run-task.ts';
import { schemaTasks } from '../src/schemas/tasks.ts';

/** The tasks of schemas in this thread, without its limits. */
export function schemasHere(maxReady?: number): Schemas {
  const tasks = schemaTasks(maxReady);
  const run: RunTask = async (task, given) => ({ done: tasks[task](given as never) as never });
  return async (_tenantId, work) => ({ value: await work(run) });
}
