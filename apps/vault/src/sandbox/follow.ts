import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import type { EnclaveClient } from '@countersign/service/enclave-client';
import { type Service, sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { EnclaveFailed } from '../enclave.ts';
import type { Answered } from './answered.ts';
import { createComparison } from './compare.ts';
import type { SessionEnclave } from './enclave-session.ts';
import { noteFinished, noteReviewed, noteWaiting, noteWhatLeft } from './operation-store.ts';
import { updateSession } from './session-store.ts';

type Hear = (event: SessionEvent) => void;
type Heard = { readonly sessionId: string; readonly event: SessionEvent };

/** Events in sessions, as the enclave reports them. */
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
  /** Operations of which this process has kept how they ended. */
  readonly answered: Pick<Answered, 'has'>;
  readonly now: () => Date;
  readonly log: Logger;
  /** Resolves when what is heard of operations is to be kept; else after `gatherMs`. */
  readonly gather?: () => Promise<unknown>;
};

/** A state of a session that goes on. */
const isStateOfLife = (event: SessionEvent): boolean =>
  event.type === 'session.state' && event.status !== 'closed' && event.status !== 'expired';

/** How long the enclave holds a poll for events, in milliseconds. */
const waitMs = 25_000;
/** An enclave that is away for so many milliseconds has died, and its sessions with it. */
const patienceMs = 3_000;
const retryMs = 500;
/**
 * How long an operation's events are delayed before they are stored, in milliseconds: usually its answer has
 * arrived by then.
 */
const gatherMs = 50;

/** Follows the sessions of the enclave: keeps the tables true, and tells whoever listens in this process. */
export function followSessions(parts: Parts): SessionEvents {
  const { pool, enclave, sessions, now, log } = parts;
  const { tell, listen } = createListeners();
  const { compare, giveUpAll } = createComparison({ pool, sessions, now, tell });
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

  const gather = parts.gather ?? (() => sleep(gatherMs, null, { signal, ref: false }).catch(() => null));
  const [poll, tellAll] = [createPoll(parts), createTelling(parts, tell)];

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

  async function hearAll(): Promise<void> {
    let { cursor } = await poll(0, 0);
    await compare();
    let told: Promise<unknown> = Promise.resolve();
    while (!signal.aborted) {
      const failed = told.then(() => new Promise<never>(() => {}));
      const heard = await Promise.race([poll(cursor, waitMs), failed]);
      if (heard.missed) await compare();
      // Late, it would be kept over what an answer has said since. Nothing is written over an end, which takes its turn:
      // what was done before it is told first.
      for (const { sessionId, event } of heard.events)
        if (isStateOfLife(event)) await keep(pool, sessionId, event, now());
      const isGathered = heard.events.some(({ event }) => 'operation_id' in event);
      told = Promise.all([told, isGathered ? gather() : null]).then(() => tellAll(heard.events));
      cursor = heard.cursor;
    }
    await told;
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

const createPoll =
  ({ enclave }: Parts) =>
  async (after: number, wait: number) => {
    const answer = await enclave.call('session.events', { after, waitMs: wait });
    if (!answer.ok) throw new EnclaveFailed('session.events', answer.error);
    return answer.value.reply;
  };

/** Keeps what operations tell, but for those of which an answer has told all, and tells all in the order in which it happened. */
const createTelling =
  ({ pool, answered, now }: Parts, tell: (sessionId: string, event: SessionEvent) => void) =>
  async (events: readonly Heard[]): Promise<void> => {
    for (const { sessionId, event } of events) {
      const isTold = 'operation_id' in event && answered.has(event.operation_id);
      if (!isStateOfLife(event) && !isTold) await keep(pool, sessionId, event, now());
      tell(sessionId, event);
    }
  };

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
    case 'content.left':
      return noteWhatLeft(pool, {
        sessionId,
        id: event.operation_id,
        actor: event.actor,
        agentDid: event.agent_did,
        at: new Date(event.at),
        operation: event.operation,
        auditId: event.audit_id,
        left: event.left,
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
