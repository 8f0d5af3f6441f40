import { Worker } from 'node:worker_threads';
import { sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { jsonIn } from './document-value.ts';
import { type DocumentReader, type DocumentText, readValue, textOf } from './read-text.ts';
import type { Given } from './thread.ts';

/** In mebibytes. Two YAML documents take half of it. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
/** Two mebibytes of YAML take a second. */
const maxWallMs = 10_000;
/** JSON that is not longer, and refers to nothing, costs less to read than a thread to start. */
const maxHereBytes = 64 * 1024;
/** Text that may contain a reference, which can expand a thousandfold. An escape may hide the name. */
const mayRefer = /\$ref|\\u00/i;

type Read = Awaited<ReturnType<DocumentReader>>;

/**
 * Reads documents in threads of `program`, one after another, each ended when it has taken too long or too much: what an honest one
 * waits for is bounded, and calls wait for none. Short JSON is read here. `program` calls `runDocumentThread` first of all.
 */
export function readInThread(
  program: string,
  log: Pick<Logger, 'warn'>,
  wallMs: number = maxWallMs,
): DocumentReader {
  let last: Promise<unknown> = Promise.resolve();
  return async (text) => {
    const isShort = text.bytes.length <= maxHereBytes;
    const value = isShort && !mayRefer.test(textOf(text)) ? jsonIn(textOf(text)) : undefined;
    if (value !== undefined) return readValue(value, text);
    const read = last.then(() => readOnce(program, text, wallMs, log));
    last = read.catch(() => {});
    return read;
  };
}

async function readOnce(
  program: string,
  text: DocumentText,
  wallMs: number,
  log: Pick<Logger, 'warn'>,
): Promise<Read> {
  const workerData: Given = { task: 'read an OpenAPI document', text };
  // What is standard output here may be what an agent reads.
  const worker = new Worker(program, {
    argv: ['gateway'],
    workerData,
    env: {},
    stdout: true,
    resourceLimits,
  });
  worker.unref();
  const { promise, resolve, reject } = settled<Read>();
  const tooCostly = (why: string): void => {
    log.warn({ from: new URL(text.from).origin, why }, 'an OpenAPI document was given up: it takes too much');
    resolve({ why: 'too-costly' });
  };
  const late = setTimeout(() => tooCostly('time'), wallMs).unref();
  worker.on('message', resolve);
  worker.on('error', (error: Error) =>
    'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? tooCostly('memory')
      : reject(new Error(`the thread that reads OpenAPI documents does not run: ${sayWhy(error)}`)),
  );
  worker.on('exit', () => reject(new Error('the thread that reads OpenAPI documents ended')));
  // The next thread waits for this one's end: two heaps never live at once.
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
}

function settled<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (why: Error) => void = () => {};
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}
