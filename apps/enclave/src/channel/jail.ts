import type { Surroundings } from '../os/surroundings.ts';

/** What the launcher makes of the jail from inside, before the browser is there. */
export type Preparation = {
  /** Where the launcher lives, to be told from where the jail is. */
  readonly outside: Surroundings;
  /** What alone is to be seen of the machine's files, read-only; null where that is seen to already, or cannot be. */
  readonly visible: readonly string[] | null;
  /** Brings up `lo` in a network namespace of its own. */
  readonly raiseLoopback: boolean;
};

export type Launch = {
  /** The program and what it is told, with what drops its rights before it. */
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Whom the jail's first process becomes once the browser is started; null: it stays who it is. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
};

export type ToJail =
  | { readonly prepare: Preparation }
  | { readonly listen: true }
  | { readonly launch: Launch };

/** What was found to hold inside. */
export type Found = {
  readonly networkNamespace: boolean;
  readonly processNamespace: boolean;
  readonly ownUser: boolean;
  readonly chromiumSandbox: boolean;
};

/** With `port` comes the server that listens there, inside; it is for the egress proxy. */
export type FromJail = { readonly alive: true } | { readonly port: number } | { readonly running: Found };
