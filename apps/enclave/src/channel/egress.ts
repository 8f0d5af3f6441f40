import type { Refused } from './browser-host.ts';

/** From the launcher. A jail is known by a number; with `listen` comes the server that listens inside it. */
export type ToEgress =
  | { readonly begin: { readonly allowPrivate: readonly string[] } }
  | { readonly listen: number }
  /** From here on connections to these, and to nothing else, are made for the jail. */
  | { readonly allow: number; readonly urls: readonly string[] }
  | { readonly forget: number }
  /** Asks for one connection, which is returned as a socket. */
  | ({ readonly dial: number } & Dialling);

export type Dialling = {
  readonly host: string;
  readonly port: number;
  /** Also to addresses that are not public: to any of them, or to those that `begin` named. */
  readonly allowPrivate: boolean | 'named';
};

/** `refused`: none of its addresses may be dialled. */
export type NotDialled = 'refused' | 'unreachable';

export type FromEgress =
  | { readonly alive: true }
  | { readonly ready: true }
  | { readonly listens: number }
  | { readonly allowed: number }
  | { readonly refused: Refused; readonly jail: number }
  /** The result of dialling; without `why` the message carries the socket. */
  | { readonly dialled: number; readonly why: NotDialled | null };
