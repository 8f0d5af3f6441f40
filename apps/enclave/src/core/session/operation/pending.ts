import type { SecretToSend } from '@countersign/protocol/enclave/session-commands';
import type { LeftOnce } from '@countersign/protocol/vault/left';
import type { Attempt } from './attempt.ts';
import type { Reviewed } from './reviewed.ts';

/** An operation that waits for a person, and what that person is shown to agree to. */
export type PendingOperation = {
  readonly attempt: Attempt;
  readonly reviewed: Reviewed;
  /** Requests that it set off and that wait for the decision; none before it has been done. */
  readonly held: readonly string[];
  /** Secrets that these take along, and where to. */
  readonly secrets: readonly SecretToSend[];
  /** `hands` of the session when the person was asked. */
  readonly hands: number;
  /** `agreedHands` of the session at that time. */
  readonly agreedHands: number;
  /** PNG of the page as it was then, for people alone; null where none could be had. */
  readonly picture: Buffer | null;
  /** Who has seen it, as their record says, with what is on record of the picture. */
  readonly seenBy: Map<string, LeftOnce | null>;
};
