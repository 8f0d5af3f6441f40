import type { SandboxAbout } from '@countersign/protocol/enclave/commands';
import type { SandboxIsolation } from '@countersign/protocol/vault/sandbox';
import type { BrowserEnd, BrowserRequest, Refused } from './browser-host.ts';

/** Messages between core and launcher about browsers. The core assigns `id`. */
export type BrowserOrder =
  | { readonly order: 'start'; readonly id: number; readonly request: BrowserRequest }
  | { readonly order: 'stop'; readonly id: number };

export type BrowserNews =
  /** Carries a socket: one end of the debugging pipe. Both arrive before `started`. */
  | { readonly news: 'toBrowser' | 'fromBrowser'; readonly id: number }
  | { readonly news: 'started'; readonly id: number; readonly isolation: SandboxIsolation }
  | { readonly news: 'unavailable'; readonly id: number; readonly why: string }
  | { readonly news: 'refused'; readonly id: number; readonly refused: Refused }
  /** Concerns no particular browser: `id` is 0. */
  | { readonly news: 'known'; readonly id: 0; readonly about: SandboxAbout }
  | { readonly news: 'ended'; readonly id: number; readonly how: BrowserEnd };
