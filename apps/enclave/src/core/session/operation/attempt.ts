import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import type { Operation } from '@countersign/protocol/vault/operation';
import type { SessionCredential } from '../about.ts';
import type { Who } from '../records.ts';

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

/** To microseconds: more is noise. */
export const roundMs = (ms: number): number => Math.round(ms * 1000) / 1000;
