import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import type { Operation } from '@countersign/protocol/vault/operation';
import type { SessionCredential } from '../about.ts';
import type { Who } from '../records.ts';

/** The credential as it is stored now, which the vault sends along for placeholders. */
export type StoredCredential = NonNullable<CommandRequest<'session.operate'>['credential']>;

/** One attempt to perform an operation. */
export type Attempt = {
  readonly operationId: string;
  readonly operation: Operation;
  /** Who asked for it. */
  readonly who: Who;
  /** The one of the session that its placeholders mean; null when it has none or several and none was named. */
  readonly meant: SessionCredential | null;
  readonly stored: StoredCredential | null;
  /** In milliseconds of the clock's `elapsed`. */
  readonly startedAt: number;
  /** Who agreed to it, where somebody was asked. */
  readonly approvedBy: string | null;
};

/** Returns the credential with its current limits, which may have changed since the session was opened. */
export const asStored = (meant: Attempt['meant'], stored: StoredCredential | undefined): Attempt['meant'] =>
  meant && stored ? { ...meant, allowedUrls: stored.allowedUrls } : meant;

/** To microseconds: more is noise. */
export const roundMs = (ms: number): number => Math.round(ms * 1000) / 1000;
