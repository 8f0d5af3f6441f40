import type { Database, Key } from 'lmdb';
import type { Environment } from '@countersign/gateway/state/environment';
import type { Life, Schedule } from './schedule.ts';

type Entry = { readonly key: Key; readonly value: unknown };
type Range = { readonly start?: Key; readonly end?: Key; readonly limit?: number };

/** Keys in the order of LMDB: numbers before texts, part by part. Numbers are integers that are not negative. */
function textOf(key: Key): string {
  const parts = Array.isArray(key) ? (key as readonly (string | number)[]) : [key as string | number];
  return parts
    .map((part) => (typeof part === 'number' ? `n${String(part).padStart(16, '0')}` : `s${part}`))
    .join('\u0001');
}

/** One database: its entries in the order of their keys. */
class Table {
  readonly #entries = new Map<string, Entry>();
  #order: string[] = [];

  get(key: Key): unknown {
    return this.#entries.get(textOf(key))?.value;
  }

  /** Undefined removes. */
  set(key: Key, value: unknown): void {
    const text = textOf(key);
    if (value === undefined) {
      if (this.#entries.delete(text)) this.#order.splice(this.#find(text), 1);
      return;
    }
    if (!this.#entries.has(text)) this.#order.splice(this.#find(text), 0, text);
    this.#entries.set(text, { key, value });
  }

  /** `end` is not included. */
  range({ start, end, limit = Infinity }: Range): Entry[] {
    const from = start === undefined ? 0 : this.#find(textOf(start));
    const to = end === undefined ? this.#order.length : this.#find(textOf(end));
    return this.#order
      .slice(from, Math.min(to, from + limit))
      .map((text) => this.#entries.get(text) as Entry);
  }

  /** The place of the first key that is not before this one. */
  #find(text: string): number {
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#order[middle] as string) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** What a step of time on the disk takes, in ms. */
type Latency = () => number;

/**
 * A state directory. A transaction is seen by all processes once it is committed, and outlives the machine once it is
 * flushed; who asked hears of it later still. The gateway's own code runs on it, as it runs on LMDB.
 */
export class Disk {
  readonly #tables = new Map<string, Table>();
  /** What the transactions that are not flushed have overwritten, oldest first. */
  #unflushed: { readonly table: Table; readonly key: Key; readonly before: unknown }[] = [];
  readonly #schedule: Schedule;
  readonly #latency: Latency;

  constructor(schedule: Schedule, latency: Latency) {
    this.#schedule = schedule;
    this.#latency = latency;
  }

  /** What is committed under this key. */
  read(database: string, key: Key): unknown {
    return this.#table(database).get(key);
  }

  list(database: string, range: Range): unknown[] {
    return this.#table(database)
      .range(range)
      .map(({ value }) => value);
  }

  /** What would be under this key if the machine lost its power now. */
  readFlushed(database: string, key: Key): unknown {
    const [table, text] = [this.#table(database), textOf(key)];
    const write = this.#unflushed.find((one) => one.table === table && textOf(one.key) === text);
    return write === undefined ? table.get(key) : write.before;
  }

  /** The machine loses its power: what was not flushed is gone. */
  losePower(): void {
    this.#undo(0);
  }

  /** The directory as one process opens it. */
  openAs(life: Life): Environment {
    const transact = (write: () => void, isDurable: boolean): Promise<void> =>
      new Promise((resolve, reject) => {
        this.#schedule.in(this.#latency(), life, 'a transaction commits', () => {
          try {
            this.#commit(write);
          } catch (error) {
            return reject(error);
          }
          if (!isDurable) return resolve();
          this.#schedule.in(this.#latency(), life, 'a transaction is on disk', () => {
            this.#unflushed = [];
            resolve();
          });
        });
      });
    return {
      database: (name) => this.#databaseOf(name, (write) => transact(write, false)),
      durably: (write) => transact(write, true),
      commit: (write) => transact(write, false),
      close: async () => {},
    };
  }

  #commit(write: () => void): void {
    const before = this.#unflushed.length;
    try {
      write();
    } catch (error) {
      this.#undo(before);
      throw error;
    }
  }

  #undo(downTo: number): void {
    for (const { table, key, before } of this.#unflushed.splice(downTo).reverse()) table.set(key, before);
  }

  #table(name: string): Table {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const table = new Table();
    this.#tables.set(name, table);
    return table;
  }

  /** As much of LMDB as the gateway uses. */
  #databaseOf(name: string, transaction: (write: () => void) => Promise<void>): Database {
    const table = this.#table(name);
    const set = (key: Key, value: unknown): Promise<boolean> => {
      this.#unflushed.push({ table, key, before: table.get(key) });
      table.set(key, value);
      return Promise.resolve(true);
    };
    const database = {
      get: (key: Key) => table.get(key),
      doesExist: (key: Key) => table.get(key) !== undefined,
      put: set,
      remove: (key: Key) => set(key, undefined),
      getRange: (range: Range) => table.range(range),
      getKeys: (range: Range) => table.range(range).map(({ key }) => key),
      resetReadTxn: () => {},
      transaction,
    };
    return database as unknown as Database;
  }
}
