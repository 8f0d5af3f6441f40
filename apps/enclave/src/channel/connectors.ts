import type { SandboxFacts } from '@countersign/protocol/control/execution';
import type { Dialling, NotDialled } from './egress.ts';
import type { ConnectorEnd } from './connector-host.ts';

/** Messages between core and launcher about connectors. The core assigns `id`. */
export type ConnectorOrder =
  | { readonly order: 'start' | 'stop'; readonly id: number }
  | { readonly order: 'dial'; readonly id: number; readonly target: Dialling };

export type ConnectorNews =
  /** Carries a socket: a standard stream. Both arrive before `started`. */
  | { readonly news: 'toConnector' | 'fromConnector'; readonly id: number }
  | { readonly news: 'started'; readonly id: number; readonly facts: SandboxFacts }
  | { readonly news: 'unavailable'; readonly id: number; readonly why: string }
  | { readonly news: 'ended'; readonly id: number; readonly how: ConnectorEnd }
  /** Without `why` the connection comes along. */
  | { readonly news: 'dialled'; readonly id: number; readonly why: NotDialled | null };
