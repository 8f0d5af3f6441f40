import { askInPieces } from '@countersign/service/exchange';
import { background } from '@countersign/service/background';
import type { Logger } from '@countersign/service/logger';
import { Pool } from 'undici';
import type { Price } from '../downstream/prices.ts';
import { type Found, toolAt, type Wanted } from './proposals.ts';
import { type PageRead, Reading } from './reading.ts';
import { takeServer } from './registry.ts';
import { takeResource } from './resources.ts';
import { type Ranked, search, type Searchable } from './search.ts';

export type CatalogueStatus = { readonly url: string; readonly status: 'connecting' | 'ok' | 'unavailable' };

/**
 * What x402 catalogues ("bazaar") and MCP registries say. Nothing waits for them, nothing is called or paid by their word,
 * and they are not told what agents look for.
 */
export type Discovery = {
  /** The price of a tool, for agents to read; null when no catalogue that was read lately names it. */
  readonly priceOf: (service: URL, toolName: string) => Price | null;
  /** Services that are not configured here, best first; null without catalogues. */
  readonly search: (query: string) => readonly Ranked[] | null;
  readonly statuses: () => readonly CatalogueStatus[];
  readonly close: () => Promise<void>;
};

type Options = Omit<Wanted, 'source'> & {
  /** Facilitators and registries; the first one that names a tool wins. */
  readonly urls: readonly URL[];
  readonly now: () => number;
  readonly log: Logger;
};

const pageItems = 100;
/** So many pages of a catalogue are read. */
const maxPages = 50;
/** A page may be all that the catalogue has. */
const pageTimeoutMs = 30_000;
const refreshMs = 600_000;
const retryMs = 60_000;
/** How long an answer is used while the catalogue gives no newer one, in milliseconds. */
const maxAgeMs = 3_600_000;

/** Reads the catalogues in the background, now and every ten minutes. */
export function watchDiscovery(options: Options): Discovery {
  const catalogues = options.urls.map((url) => new Catalogue(url, options));
  return {
    priceOf(service, toolName) {
      const key = toolAt(service, toolName);
      for (const catalogue of catalogues) {
        const price = catalogue.priceOf(key);
        if (price !== null) return price;
      }
      return null;
    },
    search: (query) => (catalogues.length === 0 ? null : search(query, proposedBy(catalogues))),
    statuses: () => catalogues.map(({ address, status }) => ({ url: address, status })),
    close: async () => void (await Promise.all(catalogues.map((catalogue) => catalogue.close()))),
  };
}

/** Each once: the first catalogue that names it counts. */
function proposedBy(catalogues: readonly Catalogue[]): Iterable<Searchable> {
  const [only, ...others] = catalogues;
  if (others.length === 0) return only?.proposals().values() ?? [];
  return new Map(catalogues.toReversed().flatMap((catalogue) => [...catalogue.proposals()])).values();
}

type Proposals = Found['proposals'];
const none: Proposals = new Map();

class Catalogue {
  /** The address for people, without the query, which may contain a key. */
  readonly address: string;
  status: CatalogueStatus['status'] = 'connecting';
  readonly #url: URL;
  readonly #isRegistry: boolean;
  readonly #options: Options;
  readonly #pool: Pool;
  readonly #closing = new AbortController();
  #prices: Found['prices'] = new Map();
  #proposals: Proposals = none;
  #readAt = 0;
  #next: NodeJS.Timeout | undefined;

  constructor(url: URL, options: Options) {
    this.#url = url;
    this.#isRegistry = isRegistry(url);
    this.#options = options;
    this.address = url.origin + url.pathname;
    this.#pool = new Pool(url.origin, { connections: 1 });
    this.#refresh();
  }

  priceOf(key: string): Price | null {
    return (this.#isFresh() && this.#prices.get(key)) || null;
  }

  proposals(): Proposals {
    return this.#isFresh() ? this.#proposals : none;
  }

  #isFresh(): boolean {
    return this.#options.now() - this.#readAt < maxAgeMs;
  }

  async close(): Promise<void> {
    clearTimeout(this.#next);
    this.#closing.abort();
    await this.#pool.destroy();
  }

  #refresh(): void {
    background(this.#options.log, 'read a discovery catalogue', this.#readAll());
  }

  async #readAll(): Promise<void> {
    // Whatever came of it, it is asked again.
    const found = await this.#read().finally(() => this.#askAgain(retryMs));
    if (this.#closing.signal.aborted) return;
    if (found === null && this.status !== 'unavailable')
      this.#options.log.warn({ url: this.address }, 'a discovery catalogue is unavailable');
    this.status = found === null ? 'unavailable' : 'ok';
    if (found !== null) {
      this.#prices = found.prices;
      this.#proposals = found.proposals;
      this.#readAt = this.#options.now();
      this.#askAgain(refreshMs);
    }
  }

  #askAgain(afterMs: number): void {
    clearTimeout(this.#next);
    if (!this.#closing.signal.aborted) this.#next = setTimeout(() => this.#refresh(), afterMs).unref();
  }

  /** Null where it could not be read. A facilitator that tells of no HTTP resources is one of MCP tools alone. */
  async #read(): Promise<Found | null> {
    const found: Found = { prices: new Map(), proposals: new Map() };
    const wanted = { ...this.#options, source: this.#url.origin };
    if (this.#isRegistry) {
      const servers = new Reading('servers', (item) => takeServer(found, item, wanted));
      return (await this.#readPages(servers, registryPage)) ? found : null;
    }
    const resources = () => new Reading('items', (item) => takeResource(found, item, wanted));
    if (!(await this.#readPages(resources(), resourcesPage('mcp')))) return null;
    const heedsType = [...found.proposals.values()].every(({ proposal }) => proposal.transport !== 'http');
    if (heedsType) await this.#readPages(resources(), resourcesPage('http'));
    return found;
  }

  /**
   * Whether every page was read that there is, up to the last that we read of any catalogue. Whatever number of items was
   * asked for, all that came count; where neither a total nor a cursor is told, an empty page is the end, as is one that
   * came before, or that has more than was asked for, unless the catalogue says that its pages have that many.
   */
  async #readPages(reading: Reading, pathOf: PagePath): Promise<boolean> {
    let cursor: string | null = null;
    for (let page = 0, offset = 0; page < maxPages; page++) {
      const read = await this.#readPage(pathOf(this.#url, { offset, cursor }), reading.page());
      if (read === null) return false;
      offset += read.came;
      if (!read.isNew || (read.next === null && (this.#isRegistry || isLast(read, offset)))) return true;
      cursor = read.next;
    }
    return true;
  }

  async #readPage(path: string, { take, end }: ReturnType<Reading['page']>): Promise<PageRead | null> {
    const request = { method: 'GET', path, headers: { accept: 'application/json' } } as const;
    const patience = { timeoutMs: pageTimeoutMs, signal: this.#closing.signal };
    const answer = await askInPieces(this.#pool, request, patience, take);
    return answer.kind === 'answer' && answer.status === 200 ? end() : null;
  }
}

const isLast = ({ came, total, limit }: PageRead, offset: number): boolean =>
  total === null ? came > pageItems && came !== limit : offset >= total;

/** An MCP registry's list, such as `https://registry.example/v0/servers`; anything else is a facilitator. */
const isRegistry = ({ pathname }: URL): boolean => /\/v\d+(\.\d+)*\/servers\/?$/.test(pathname);

type PagePath = (url: URL, from: { readonly offset: number; readonly cursor: string | null }) => string;

/** `GET /discovery/resources` of a facilitator, which is named with or without that path. */
const resourcesPage =
  (type: 'mcp' | 'http'): PagePath =>
  (url, { offset }) => {
    const asked = new URL(url);
    const base = url.pathname.replace(/(\/discovery\/resources)?\/?$/, '');
    asked.pathname = `${base}/discovery/resources`;
    asked.searchParams.set('type', type);
    asked.searchParams.set('limit', String(pageItems));
    asked.searchParams.set('offset', String(offset));
    return asked.pathname + asked.search;
  };

const registryPage: PagePath = (url, { cursor }) => {
  const asked = new URL(url);
  asked.searchParams.set('limit', String(pageItems));
  asked.searchParams.set('version', 'latest');
  if (cursor !== null) asked.searchParams.set('cursor', cursor);
  return asked.pathname + asked.search;
};
