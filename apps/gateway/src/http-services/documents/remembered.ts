import { createHash } from 'node:crypto';
import type { DocumentReader } from './read-text.ts';

/** After a document that was given up, none of its service is read for so long: the machine may have been busy. */
const givenUpForMs = 600_000;

type Last = { readonly digest: string; readonly read: ReturnType<DocumentReader>; readonly until: number };

/**
 * Caches the document of one service, which is polled each minute and rarely changes. `now` is in
 * milliseconds.
 */
export function remembered(reader: DocumentReader, now: () => number): DocumentReader {
  let last: Last | null = null;
  let givenUp = { from: '', until: -Infinity };
  return async (text) => {
    // Whatever it is now: another text each time would cost as much each time.
    if (text.from === givenUp.from && now() < givenUp.until) return { why: 'too-costly' };
    const digest = createHash('sha256').update(text.bytes).digest('hex');
    if (last?.digest === digest && now() < last.until) return last.read;
    const mine: Last = { digest, read: reader(text), until: Infinity };
    last = mine;
    const forget = (until: number): void => {
      if (last === mine) last = { ...mine, until };
    };
    try {
      const read = await mine.read;
      if ('why' in read && read.why === 'too-costly') {
        givenUp = { from: text.from, until: now() + givenUpForMs };
        forget(0);
      }
      return read;
    } catch (error) {
      forget(0);
      throw error;
    }
  };
}
