import type { CloseReason, SessionStatus } from '@countersign/protocol/vault/sandbox';

/** What can happen to a session as a whole. */
export type LifeEvent = 'pause' | 'resume' | CloseReason;

/** What a session is after an event; null where it is over, and stays as it is. */
export function statusAfter(status: SessionStatus, event: LifeEvent): SessionStatus | null {
  if (isOver(status)) return null;
  switch (event) {
    case 'pause':
      return 'paused';
    case 'resume':
      return 'active';
    case 'expired':
      return 'expired';
    case 'asked':
    case 'alarm':
    case 'crashed':
    case 'out_of_memory':
    case 'enclave_gone':
      return 'closed';
  }
}

export const isOver = (status: SessionStatus): boolean => status === 'closed' || status === 'expired';
