import type { Driver } from './driver.ts';
import { OperationFailed } from './problem.ts';
import { limits } from './stage.ts';

/** Whether texts, neighbours in a page, hold a secret that is more than a name. */
export type HoldSecret = (texts: readonly string[]) => boolean;

/** What `DOMSnapshot.captureSnapshot` gives, as far as it is read: values are numbers of `strings`. */
type Snapshot = {
  readonly strings: readonly string[];
  readonly documents: readonly { readonly nodes: { readonly nodeValue?: readonly number[] } }[];
};

/**
 * No script runs, and none tells anything, while a secret stands in the page, shown or hidden, in an attribute, a field or
 * split over elements: a script can write it in a way in which no mask knows it.
 */
export async function checkShown(driver: Driver, holdSecret: HoldSecret): Promise<void> {
  const { sessionId } = driver.page();
  const taking = driver.send<Snapshot>(sessionId, 'DOMSnapshot.captureSnapshot', { computedStyles: [] });
  const { strings, documents } = await driver.inTime(sessionId, limits.element, taking);
  // In the order of the document, so that neighbours are beside each other; then whatever is no text of it.
  const texts = documents.flatMap(({ nodes }) => nodes.nodeValue ?? []).map((at) => strings[at] ?? '');
  if (holdSecret([...texts.filter(Boolean), ...strings])) throw new OperationFailed('held', shown);
}

const shown =
  'The page shows a secret, which a script could tell in other words: use extract or export, which mask it, or leave the page.';
