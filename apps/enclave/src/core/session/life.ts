import { fail, ok, type Result } from '@countersign/protocol/result';
import type { CloseReason, PausedBy, SessionStatus } from '@countersign/protocol/vault/sandbox';

/** The state of a session. */
export type Life = {
  readonly status: SessionStatus;
  /** Null unless it is paused. */
  readonly pausedBy: PausedBy | null;
};

/** An event in the life of a session. */
export type LifeEvent =
  | { readonly kind: 'pause' | 'resume'; readonly by: PausedBy }
  | { readonly kind: 'end'; readonly reason: CloseReason };

type WhyNot = { readonly code: 'SESSION_NOT_ACTIVE' | 'PAUSED_BY_PERSON' };

/**
 * Returns the state after an event. A session that is over stays over, and an agent cannot undo what a person
 * decided.
 */
export function lifeAfter(life: Life, event: LifeEvent): Result<Life, WhyNot> {
  if (isOver(life.status)) return fail({ code: 'SESSION_NOT_ACTIVE' });
  switch (event.kind) {
    case 'pause':
      return ok({ status: 'paused', pausedBy: life.pausedBy === 'person' ? 'person' : event.by });
    case 'resume':
      return life.pausedBy === 'person' && event.by === 'agent'
        ? fail({ code: 'PAUSED_BY_PERSON' })
        : ok({ status: 'active', pausedBy: null });
    case 'end':
      return ok({ status: event.reason === 'expired' ? 'expired' : 'closed', pausedBy: null });
  }
}

export const isOver = (status: SessionStatus): boolean => status === 'closed' || status === 'expired';
