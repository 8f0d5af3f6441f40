import type { SchemaTasks } from './tasks.ts';
import type { Patience } from './turns.ts';

type Task = keyof SchemaTasks;
export type Given<T extends Task> = Parameters<SchemaTasks[T]>[0];
export type Done<T extends Task> = ReturnType<SchemaTasks[T]>;

/** Does a task; null where it was given up, because it took more processor time than `maxCpuMs`, or more memory than there is for it. */
export type RunTask = <T extends Task>(
  task: T,
  given: Given<T>,
  maxCpuMs: number,
) => Promise<{ readonly done: Done<T> } | null>;

/**
 * Does what takes several tasks in one turn of a tenant, so that what it has ready stays ready until its end, whatever others ask
 * for. Null, and nothing was done, where too much of that tenant waits for the caller's patience.
 */
export type Schemas = <T>(
  tenantId: string,
  work: (run: RunTask) => Promise<T>,
  patience?: Patience,
) => Promise<{ readonly value: T } | null>;
