import { randomUUID } from 'node:crypto';
import { changesBetween } from '../../browser/mirror/changes.ts';
import { foundIn, type PageCopy } from '../../browser/mirror/copy.ts';
import type { MaskedPage } from '../../browser/mirror/draft.ts';
import { callOf, sourceOf } from '../../browser/mirror/source.ts';
import { Last } from './last.ts';

type Named = { readonly name: string; readonly page: MaskedPage; readonly found: ReturnType<typeof foundIn> };

/** A page with more nodes is not kept to be compared with: that would take the memory of the next. */
const maxKept = 20_000;

const nothing = new Uint8Array();

/** Copies of the pages of a session. Mostly a page is another only in a text or two, and so little is to be built of its copy. */
export class Copies {
  readonly #last = new Last<Named>();
  /** The last one that was handed out whole. */
  #whole: PageCopy | null = null;
  #before: Named | null = null;

  /**
   * Returns the copy of the page that `make` captures, as changes to the copy named `shown`. An unchanged
   * page yields the previous copy.
   */
  of(shown: string | undefined, key: string, make: () => MaskedPage): PageCopy {
    const before = this.#before;
    const copy = this.#last.unless(key, () => {
      const page = make();
      const found = foundIn(page);
      return { name: randomUUID(), page, found };
    });
    this.#before = copy.found.nodeIds.length > maxKept ? null : copy;
    if (shown === copy.name) return answerOf(copy, nothing);
    const changes =
      shown !== undefined && shown === before?.name ? changesBetween(before.page, copy.page) : null;
    if (changes !== null) return answerOf(copy, callOf('change', changes));
    if (this.#whole?.name !== copy.name) this.#whole = answerOf(copy, sourceOf(copy.page));
    return this.#whole;
  }

  clear(): void {
    this.#last.clear();
    [this.#whole, this.#before] = [null, null];
  }
}

const answerOf = ({ name, found }: Named, source: Uint8Array): PageCopy => ({ ...found, name, source });
