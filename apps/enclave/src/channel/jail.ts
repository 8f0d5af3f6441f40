import type { Surroundings } from '../os/surroundings.ts';

/** The steps by which the launcher prepares the jail from inside, before the browser starts. */
export type Preparation = {
  /** The launcher's user and namespaces, from which the jail must differ. */
  readonly outside: Surroundings;
  /** The only host paths to keep visible, read-only; null if that is done already, or cannot be done. */
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

/** The properties that were found to hold inside the jail. */
export type Found = {
  readonly networkNamespace: boolean;
  readonly processNamespace: boolean;
  readonly ownUser: boolean;
  readonly chromiumSandbox: boolean;
};

/** `port` carries the server that listens there, inside the jail; it is for the egress proxy. */
export type FromJail = { readonly alive: true } | { readonly port: number } | { readonly running: Found };
