import type { SandboxAbout } from '@countersign/protocol/enclave/commands';
import type { SandboxIsolation } from '@countersign/protocol/vault/sandbox';
import type { BrowserEnd, BrowserRequest, Refused } from './browser-host.ts';

/** What core and launcher say about browsers, over the channel between the two. `id` is the core's. */
export type BrowserOrder =
  | { readonly order: 'start'; readonly id: number; readonly request: BrowserRequest }
  | { readonly order: 'stop'; readonly id: number };

export type BrowserNews =
  /** With a socket: one end of the debugging pipe. Both come before `started`. */
  | { readonly news: 'toBrowser' | 'fromBrowser'; readonly id: number }
  | { readonly news: 'started'; readonly id: number; readonly isolation: SandboxIsolation }
  | { readonly news: 'unavailable'; readonly id: number; readonly why: string }
  | { readonly news: 'refused'; readonly id: number; readonly refused: Refused }
  /** Of no browser: `id` is 0. */
  | { readonly news: 'known'; readonly id: 0; readonly about: SandboxAbout }
  | { readonly news: 'ended'; readonly id: number; readonly how: BrowserEnd };
