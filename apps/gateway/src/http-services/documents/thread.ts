import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { type DocumentText, readText } from './read-text.ts';

/** What a thread of ours is started with. */
export type Given = { readonly task: 'read an OpenAPI document'; readonly text: DocumentText };

/** Where this is the thread that was started to read a document, does so, and ends. */
export function runDocumentThread(): boolean {
  const given = workerData as Given | null;
  if (isMainThread || given?.task !== 'read an OpenAPI document') return false;
  parentPort?.postMessage(readText(given.text), []);
  return true;
}
