import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { type DocumentText, readText } from './read-text.ts';

/** The data with which our thread is started. */
export type Given = { readonly task: 'read an OpenAPI document'; readonly text: DocumentText };

/** If this is the thread that reads a document, reads it and exits. Returns whether it was. */
export function runDocumentThread(): boolean {
  const given = workerData as Given | null;
  if (isMainThread || given?.task !== 'read an OpenAPI document') return false;
  parentPort?.postMessage(readText(given.text), []);
  return true;
}
