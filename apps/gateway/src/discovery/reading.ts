import { createHash } from 'node:crypto';
import { TextTooLong } from '@countersign/service/exchange';
import { exceeded } from '@countersign/service/json-shape';
import { z } from 'zod';
import { type ListName, PageItems } from './page-items.ts';

/** Looked at before an item is parsed. */
const maxShape = { depth: 64, members: 10_000 };
/** Of a catalogue at most so much is read at a time, in all its pages: a larger one is nobody's honest catalogue. */
const maxBytes = 32 * 1024 * 1024;
/** What comes after so many items is not read: neither cut nor hashed, however small each is. */
const maxItems = 20_000;

// The items are read one by one: a bad one must not cost the others.
const list = z.array(z.unknown());
const pageFrame = z.object({
  pagination: z.object({ total: z.number().nullish(), limit: z.number().nullish() }).nullish(),
  metadata: z.object({ nextCursor: z.string().max(2048).nullish() }).nullish(),
});
const pageFrames = {
  items: pageFrame.extend({ items: list }),
  servers: pageFrame.extend({ servers: list }),
};

/** What a page was: how many items came, and whether it is no earlier page again. */
export type PageRead = {
  readonly came: number;
  readonly isNew: boolean;
  /** How many items the catalogue says there are. */
  readonly total: number | null;
  /** How many it says a page has. */
  readonly limit: number | null;
  /** What the next page is asked for by, where the catalogue has such a thing. */
  readonly next: string | null;
};

/** One reading of a catalogue, from its first page on. What is no JSON is given to nobody. */
export class Reading {
  readonly #list: ListName;
  readonly #onItem: (item: unknown) => void;
  readonly #pages = new Set<string>();
  #bytes = 0;
  #items = 0;
  #isFull = false;

  constructor(list: ListName, onItem: (item: unknown) => void) {
    this.#list = list;
    this.#onItem = onItem;
  }

  /** The next page. `take` is given it as it arrives, and throws `TextTooLong`; `end` gives null where it was no page. After `maxItems` nothing is new. */
  page(): { readonly take: (piece: Buffer) => void; readonly end: () => PageRead | null } {
    const content = createHash('sha256');
    let came = 0;
    const page = new PageItems(this.#list, (json) => {
      this.#isFull = this.#items === maxItems;
      if (this.#isFull) return page.stop();
      came += 1;
      this.#items += 1;
      content.update(json ?? '').update(',');
      const item = json === null ? undefined : parsed(json);
      if (item !== undefined) this.#onItem(item);
    });
    const take = (piece: Buffer) => {
      this.#bytes += piece.length;
      if (this.#bytes > maxBytes) throw new TextTooLong();
      page.add(piece);
    };
    const end = () => {
      if (this.#isFull) return { came, isNew: false, total: null, limit: null, next: null };
      const frame = pageFrames[this.#list].safeParse(parsed(page.frame()));
      if (!frame.success) return null;
      const before = this.#pages.size;
      this.#pages.add(content.digest('hex'));
      const isNew = came > 0 && this.#pages.size > before;
      const { total, limit } = frame.data.pagination ?? {};
      const next = frame.data.metadata?.nextCursor;
      // An empty cursor is how some catalogues write that there is none.
      return { came, isNew, total: total ?? null, limit: limit ?? null, next: next || null };
    };
    return { take, end };
  }
}

/** Undefined is what is no JSON, or in no reasonable shape. */
function parsed(json: Buffer): unknown {
  if (exceeded(json, maxShape) !== null) return undefined;
  try {
    return JSON.parse(json.toString('utf8'));
  } catch {
    return undefined;
  }
}
