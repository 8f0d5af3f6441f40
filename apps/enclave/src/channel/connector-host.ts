import type { Socket } from 'node:net';
import type { SandboxFacts } from '@countersign/protocol/control/execution';
import type { Result } from '@countersign/protocol/result';
import type { Dialling, NotDialled } from './egress.ts';

/** Starts connectors for the core, which can start no program and has no network. */
export type ConnectorHost = {
  /** A connector in a sandbox of its own, which was told nothing yet. A refusal is a sentence for the log. */
  readonly start: () => Promise<Result<StartedConnector, string>>;
  /** A connection for the broker; whoever it leads to is not asked who they are. */
  readonly dial: (target: Dialling) => Promise<Result<Socket, NotDialled>>;
};

export type ConnectorEnd = 'closed' | 'crashed' | 'out_of_memory';

export type StartedConnector = {
  /** Its standard streams: nobody between. */
  readonly toConnector: Socket;
  readonly fromConnector: Socket;
  readonly facts: SandboxFacts;
  /** Resolves when every process of it is gone. */
  readonly ended: Promise<ConnectorEnd>;
  /** Ends it at once. */
  readonly stop: () => Promise<void>;
};
