import type { SandboxFacts } from '@countersign/protocol/control/execution';
import type { Dialling, NotDialled } from './egress.ts';
import type { ConnectorEnd } from './connector-host.ts';

/** What core and launcher say about connectors, over the channel between the two. `id` is the core's. */
export type ConnectorOrder =
  | { readonly order: 'start' | 'stop'; readonly id: number }
  | { readonly order: 'dial'; readonly id: number; readonly target: Dialling };

export type ConnectorNews =
  /** With a socket: a standard stream. Both come before `started`. */
  | { readonly news: 'toConnector' | 'fromConnector'; readonly id: number }
  | { readonly news: 'started'; readonly id: number; readonly facts: SandboxFacts }
  | { readonly news: 'unavailable'; readonly id: number; readonly why: string }
  | { readonly news: 'ended'; readonly id: number; readonly how: ConnectorEnd }
  /** Without `why` the connection comes along. */
  | { readonly news: 'dialled'; readonly id: number; readonly why: NotDialled | null };
