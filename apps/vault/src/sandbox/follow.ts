import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import type { EnclaveClient } from '@countersign/service/enclave-client';
import { type Service, sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { EnclaveFailed } from '../enclave.ts';
import { createComparison } from './compare.ts';
import type { SessionEnclave } from './enclave-session.ts';
import { noteFinished, noteReviewed, noteWaiting } from './operation-store.ts';
import { updateSession } from './session-store.ts';

type Hear = (event: SessionEvent) => void;

/** What happens in sessions, as the enclave tells it. */
export type SessionEvents = Service & {
  /** Hears of one session until the function that it gives is called. */
  readonly listen: (sessionId: string, hear: Hear) => () => void;
  /** Compares what is kept with what the enclave knows. */
  readonly compare: () => Promise<void>;
};

type Parts = {
  readonly pool: Pool;
  readonly enclave: Pick<EnclaveClient, 'call' | 'whenConnected'>;
  readonly sessions: Pick<SessionEnclave, 'refresh'>;
  readonly now: () => Date;
  readonly log: Logger;
};

/** How long the enclave holds a question for events, in milliseconds. */
const waitMs = 25_000;
/** An enclave that is away for so many milliseconds has died, and its sessions with it. */
const patienceMs = 3_000;
const retryMs = 500;

/** Follows the sessions of the enclave: keeps the tables true, and tells whoever listens in this process. */
export function followSessions({ pool, enclave, sessions, now, log }: Parts): SessionEvents {
  const { tell, listen } = createListeners();
  const { compare, giveUpAll } = createComparison({ pool, sessions, now, tell });
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

  /** Resolves when there is an enclave, or nobody wants to know any more. */
  async function present(): Promise<void> {
    const here = Promise.race([enclave.whenConnected(), stopped]);
    const waiting = new AbortController();
    const late = sleep(patienceMs, 'late' as const, { signal: waiting.signal, ref: false }).catch(() => null);
    const outcome = await Promise.race([here, late]);
    waiting.abort();
    if (outcome !== 'late') return;
    log.warn('the enclave is away: its browser sessions are over');
    await giveUpAll();
    await here;
  }

  async function poll(after: number, wait: number) {
    const answer = await enclave.call('session.events', { after, waitMs: wait });
    if (!answer.ok) throw new EnclaveFailed('session.events', answer.error);
    return answer.value.reply;
  }

  async function hearAll(): Promise<void> {
    let { cursor } = await poll(0, 0);
    await compare();
    while (!signal.aborted) {
      const heard = await poll(cursor, waitMs);
      if (heard.missed) await compare();
      for (const { sessionId, event } of heard.events) {
        await keep(pool, sessionId, event, now());
        tell(sessionId, event);
      }
      cursor = heard.cursor;
    }
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        await present();
        if (!signal.aborted) await hearAll();
      } catch (error) {
        log.debug({ why: sayWhy(error) }, 'not following browser sessions: will try again');
      }
      await sleep(retryMs, null, { signal, ref: false }).catch(() => null);
    }
  }

  const done = follow();
  return {
    compare,
    listen,
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}

/** Who listens in this process, by the session. */
function createListeners() {
  const listeners = new Map<string, Set<Hear>>();
  return {
    tell(this: void, sessionId: string, event: SessionEvent): void {
      for (const hear of listeners.get(sessionId) ?? []) hear(event);
    },
    listen(this: void, sessionId: string, hear: Hear): () => void {
      const hearing = listeners.get(sessionId) ?? new Set();
      listeners.set(sessionId, hearing.add(hear));
      return () => {
        hearing.delete(hear);
        if (hearing.size === 0 && listeners.get(sessionId) === hearing) listeners.delete(sessionId);
      };
    },
  };
}

/** Keeps what an event says, in case that whoever asked hears no more. */
async function keep(pool: Pool, sessionId: string, event: SessionEvent, now: Date): Promise<void> {
  switch (event.type) {
    case 'operation.reviewed':
      return noteReviewed(pool, { sessionId, id: event.operation_id, review: event.review });
    case 'approval.requested':
      return noteWaiting(pool, { sessionId, id: event.operation_id, review: event.review });
    case 'operation.finished':
      return noteFinished(pool, {
        sessionId,
        id: event.operation_id,
        status: event.status,
        auditId: event.audit_id,
        durationMs: event.duration_ms,
      });
    case 'session.state': {
      const { status, current_url: currentUrl, paused_by: pausedBy, closed_reason: closedReason } = event;
      const why = {
        ...(pausedBy !== undefined && { pausedBy }),
        ...(closedReason !== undefined && { closedReason }),
      };
      await updateSession(pool, sessionId, { status, currentUrl, ...why }, now);
      return;
    }
    case 'operation.started':
    case 'approval.received':
    case 'frame':
      return;
  }
}
