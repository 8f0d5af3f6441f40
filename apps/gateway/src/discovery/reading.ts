import { createHash } from 'node:crypto';
import { TextTooLong } from '@countersign/service/exchange';
import { exceeded } from '@countersign/service/json-shape';
import { z } from 'zod';
import { type ListName, PageItems } from './page-items.ts';

/** Looked at before an item is parsed. */
const maxShape = { depth: 64, members: 10_000 };
/** Maximum size of one reading of a catalogue, over all its pages. No honest catalogue is larger. */
const maxBytes = 32 * 1024 * 1024;
/** Maximum number of items: further ones are neither parsed nor hashed, however small they are. */
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

/** Facts about one page: its number of items, and whether it differs from every earlier page. */
export type PageRead = {
  readonly came: number;
  readonly isNew: boolean;
  /** The total number of items that the catalogue states. */
  readonly total: number | null;
  /** The page size that the catalogue states. */
  readonly limit: number | null;
  /** The cursor of the next page, if the catalogue has one. */
  readonly next: string | null;
};

/** One reading of a catalogue, starting at its first page. Anything but JSON is discarded. */
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
