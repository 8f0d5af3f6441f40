import { Worker } from 'node:worker_threads';
import type { Answered, Asked } from './thread.ts';
import { type StartThread, type Thread, WorkerFailed } from './session-worker.ts';
import type { Given } from './tasks.ts';

/** In mebibytes: enough for the largest page that is accepted. A thread that exceeds them is terminated. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/**
 * Starts workers as threads of this process. Once there was a session one is always ready, so that the next need not wait for
 * it to load; the first one's loads while its browser starts.
 */
export function threadsOf(program: string): StartThread {
  let spare: StartedThread | null = null;
  return () => {
    const taken = spare === null || spare.isGone() ? newThread(program) : spare;
    spare = null;
    void taken.ready.then(() => (spare ??= newThread(program)));
    return taken;
  };
}

/** Secrets, and pictures of pages that may show them: they move to the thread, which wipes them, and no copy stays here. */
function handedOver(given: Asked['given']): ArrayBuffer[] {
  if (given === null || typeof given !== 'object') return [];
  const { snapshots = [], secret } = given as Partial<Given<'copy'> & Given<'add'>>;
  return [...snapshots, ...(secret === undefined ? [] : [secret])].map(({ buffer }) => buffer as ArrayBuffer);
}

type StartedThread = Thread & { readonly ready: Promise<void>; readonly isGone: () => boolean };

function newThread(program: string): StartedThread {
  const worker = new Worker(program, { argv: ['enclave', 'worker'], env: {}, stdin: false, resourceLimits });
  worker.unref();
  let isGone = false;
  let hear: ((answered: Answered | null) => void) | null = null;
  // Its first word says that it is there.
  const ready = new Promise<void>((resolve) => {
    hear = () => resolve();
  });
  const end = () => {
    isGone = true;
    hear?.(null);
  };
  worker.on('message', (answered: Answered) => hear?.(answered));
  worker.on('error', end);
  worker.on('exit', end);
  return {
    ready,
    isGone: () => isGone,
    run: async (task, given) => {
      await ready;
      if (isGone) throw new WorkerFailed('ended');
      const answered = await new Promise<Answered | null>((resolve) => {
        hear = resolve;
        worker.postMessage({ task, given } satisfies Asked, handedOver(given));
      });
      if (answered === null) throw new WorkerFailed('ended');
      if ('threw' in answered) throw new WorkerFailed('threw', answered.threw);
      return answered as never;
    },
    stop: () => {
      isGone = true;
      void worker.terminate();
    },
  };
}
