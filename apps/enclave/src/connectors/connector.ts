import type { ConnectorType } from '@countersign/protocol/control/connector';
import type { ExecutionProblem, SandboxFacts } from '@countersign/protocol/control/execution';

/** One action of one service, to be run once, in a sandbox of its own. */
export type Run = {
  readonly executionId: string;
  readonly type: Exclude<ConnectorType, 'browser'>;
  /** As it was stored; read again by the schema of its type. */
  readonly definition: unknown;
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Goes along to the service, which may ask the control plane about it. */
  readonly token: string;
  /** Null where the connector has no credential. */
  readonly lend: LendCredential | null;
  readonly allowPrivate: boolean;
  readonly timeoutMs: number;
  /** Whoever asked is gone: end it. */
  readonly signal: AbortSignal;
};

/**
 * Opens the credential (`{"key": value}`, as the control plane has it sealed) for the length of `use`, once the record of that is on disk, and wipes it after. False: it does not
 * open, or nothing can be recorded; then `use` was not called.
 */
export type LendCredential = (use: (plaintext: Buffer) => Promise<void>) => Promise<boolean>;

/**
 * How it went. `unknown`: something that may change the service was sent, and its answer did not come. `data` is masked:
 * the credential stands in it in none of its forms.
 */
export type RunEnd = {
  readonly sandbox: SandboxFacts | null;
  readonly durationMs: number;
} & (
  | { readonly ended: 'completed'; readonly data: unknown }
  | { readonly ended: 'failed'; readonly problem: ExecutionProblem; readonly data?: unknown }
  | { readonly ended: 'unknown'; readonly problem: ExecutionProblem }
);

export type RunConnector = (run: Run) => Promise<RunEnd>;
