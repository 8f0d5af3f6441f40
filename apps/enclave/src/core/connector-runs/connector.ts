import type { ExecutionProblem, SandboxFacts } from '@countersign/protocol/control/execution';
import type { Task } from '../../channel/connector.ts';

/** One action of one service, to be run once, in its own sandbox. */
export type Run = Task & {
  readonly executionId: string;
  /** Goes along with the action, to the service, which may ask the control plane about it. */
  readonly token: string;
  /** Says the same of the action, signed, for services that ask nobody. */
  readonly statement: string;
  /** Does what sends the token, which counts as under way for so long. */
  readonly carry: <T>(send: () => Promise<T>) => Promise<T>;
  /** Null where the connector has no credential. */
  readonly lend: LendCredential | null;
  /** A value that the broker puts into the member `param` of the body, where its decoy stands, and masks in what comes back. */
  readonly next?:
    | { readonly param: string; readonly decoy: string; readonly lend: LendCredential }
    | undefined;
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
 * How it went. `unknown`: something that may change the service was sent, and it is not known whether it did; with `data` where
 * the service answered that much. `data` is masked: the credential stands in it in none of its forms.
 */
export type RunEnd = {
  readonly sandbox: SandboxFacts | null;
  readonly durationMs: number;
  /** HTTP status that the service answered with, where one was heard. */
  readonly targetStatus?: number;
} & (
  | { readonly ended: 'completed'; readonly data: unknown }
  | { readonly ended: 'failed'; readonly problem: ExecutionProblem; readonly data?: unknown }
  | { readonly ended: 'unknown'; readonly problem: ExecutionProblem; readonly data?: unknown }
);

export type RunConnector = (run: Run) => Promise<RunEnd>;
