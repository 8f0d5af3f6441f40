import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import type { Result } from '@countersign/protocol/result';
import type { Place } from '@countersign/protocol/vault/credential-use';
import type { LeftOnce } from '@countersign/protocol/vault/left';
import type { Operation } from '@countersign/protocol/vault/operation';
import type { OperationResult } from '@countersign/protocol/vault/sandbox';
import type { SessionCredential } from '../about.ts';
import type { Who } from '../records.ts';
import type { Session } from '../session.ts';
import type { Reviewed } from './review.ts';

/** What the vault sends along for placeholders: the credential as it is stored now. */
export type StoredCredential = NonNullable<CommandRequest<'session.operate'>['credential']>;

/** One try to do an operation. */
export type Attempt = {
  readonly operationId: string;
  readonly operation: Operation;
  /** Who asked for it. */
  readonly who: Who;
  /** The one of the session that its placeholders mean; null when it has none or several and none was named. */
  readonly meant: SessionCredential | null;
  readonly stored: StoredCredential | null;
  /** By the clock's `elapsed`. */
  readonly startedAt: number;
  /** Who agreed to it, where somebody was asked. */
  readonly approvedBy: string | null;
};

/** What was said of it since the session was opened holds. */
export const asStored = (meant: Attempt['meant'], stored: StoredCredential | undefined): Attempt['meant'] =>
  meant && stored ? { ...meant, allowedUrls: stored.allowedUrls } : meant;

/** An operation that waits for a person, and what that person is shown to agree to. */
export type PendingOperation = {
  readonly attempt: Attempt;
  readonly reviewed: Reviewed;
  /** Requests that it set off and that wait for the decision; none before it has been done. */
  readonly held: readonly string[];
  /** Of the session, when it was asked about. */
  readonly hands: number;
  /** The same of those that were agreed to. */
  readonly agreedHands: number;
  /** PNG of the page as it was then, for people alone; null where none could be had. */
  readonly picture: Buffer | null;
  /** Who has seen it, as their record says, with what is on record of the picture. */
  readonly seenBy: Map<string, LeftOnce | null>;
};

/** `learned`: where its secret was allowed for the first time. */
export type Done = { readonly operation: OperationResult; readonly learned?: Place };
export type Answer = Result<Done, EnclaveRefusal>;

type Finish = Pick<OperationResult, 'status' | 'audit_id' | 'review'> &
  Partial<Pick<OperationResult, 'result' | 'error' | 'left'>>;

/** The answer to an attempt, which is told to whoever watches. */
export function finish(session: Session, attempt: Attempt, finished: Finish): Done {
  const duration_ms = roundMs(session.clock.elapsed() - attempt.startedAt);
  const { status, audit_id } = finished;
  const operation_id = attempt.operationId;
  session.tell({
    type: 'operation.finished',
    at: session.at(),
    operation_id,
    status,
    audit_id,
    duration_ms,
  });
  void session.tellState();
  return { operation: { operation_id, result: null, duration_ms, ...finished } };
}

/** To microseconds: more is noise. */
export const roundMs = (ms: number): number => Math.round(ms * 1000) / 1000;
