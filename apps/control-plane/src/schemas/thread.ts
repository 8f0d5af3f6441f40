import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { Given } from './run-task.ts';
import { type SchemaTasks, schemaTasks } from './tasks.ts';

export type Asked = { readonly task: keyof SchemaTasks; readonly given: Given<keyof SchemaTasks> };
/** Its first word is how the system calls this thread; null where it does not say. */
export type Answered = { readonly thread: string | null } | { readonly done: unknown };

/** Reads and holds schemas, in a thread of its own: one task after the other. */
export function runSchemaThread(): void {
  if (parentPort === null) throw new Error('schemas are read in a thread of the control plane');
  const port = parentPort;
  const tasks = schemaTasks();
  port.on('message', ({ task, given }: Asked) => {
    const done = (tasks[task] as (given: Asked['given']) => unknown)(given);
    port.postMessage({ done } satisfies Answered);
  });
  port.postMessage({ thread: ownName() } satisfies Answered);
}

function ownName(): string | null {
  try {
    return basename(readlinkSync('/proc/thread-self'));
  } catch {
    return null;
  }
}
