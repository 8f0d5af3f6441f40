import { join } from 'node:path';
import { type Database, open } from 'lmdb';
import { makeFolder } from '@countersign/service/make-folder';

/** Resolves when what one transaction wrote, to whichever databases, is on disk. */
export type Durably = (write: () => void) => Promise<void>;

/** The LMDB environment of a state directory: all gateway processes on it share it, and one transaction spans it all. */
export type Environment = {
  /** The database of this name; made when it is missing. */
  readonly database: (name: string) => Database;
  readonly durably: Durably;
  /** Resolves when it is written: it outlives this process, but perhaps not this machine. */
  readonly commit: Durably;
  readonly close: () => Promise<void>;
};

export const environmentFile = (dir: string): string => join(dir, 'gateway.mdb');

/** One for the receipts, and one for each wallet whose gateway has run here. */
export const maxDatabases = 1024;

/** Opens the environment; makes the directory when it is missing. */
export function openEnvironment(dir: string): Environment {
  makeFolder(dir, 0o700);
  const root = open({ path: environmentFile(dir), maxDbs: maxDatabases });
  return {
    database: (name) => root.openDB({ name }),
    async durably(write) {
      await root.transaction(write);
      await root.flushed;
    },
    async commit(write) {
      await root.transaction(write);
    },
    async close() {
      await root.flushed;
      await root.close();
    },
  };
}
