import type { CommandReply, CommandRequest, EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import type { SessionState, sessionCommands } from '@countersign/protocol/enclave/session-commands';
import type { Result } from '@countersign/protocol/result';
import type { EnclaveAnswer } from '@countersign/service/enclave-client';
import type { Pool } from '@countersign/service/sql';
import { actorOf, agentActing, type Caller } from '../callers.ts';
import { type Enclave, EnclaveFailed } from '../enclave.ts';
import { refusal } from '../refusal.ts';
import { whyNotActive } from './reached.ts';
import { type Session, type SessionAtCall, type Told, updateSession } from './session-store.ts';

type Command = Exclude<
  keyof typeof sessionCommands,
  'session.expect' | 'session.mask' | 'session.state' | 'session.events' | 'session.frame'
>;
type More<C extends Command> = Omit<CommandRequest<C>, 'tenantId' | 'sessionId' | keyof Acting>;
type Acting = { readonly actor: string; readonly agentDid?: string };

/** A session as it was read for this call; one that is only being opened is not kept so far. */
type Known = Pick<Session, 'id' | 'tenantId'> &
  Partial<Pick<Session, 'status' | 'currentUrl' | 'pausedBy' | 'agentDid' | 'openedBy'>>;

type Parts = { readonly pool: Pool; readonly enclave: Enclave; readonly now: () => Date };

/** The sessions where they live. What is told of one is kept here at once. */
export type SessionEnclave = ReturnType<typeof createSessionEnclave>;

export function createSessionEnclave({ pool, enclave, now }: Parts) {
  async function ask<C extends Command>(
    command: C,
    session: Known,
    caller: Caller,
    more: More<C>,
  ): Promise<Result<EnclaveAnswer<C>, EnclaveRefusal>> {
    const whose = { tenantId: session.tenantId, sessionId: session.id, ...acting(caller, session) };
    const answer = await enclave.call(command, { ...whose, ...more } as unknown as CommandRequest<C>);
    const told = answer.ok ? stateIn(answer.value.reply) : undefined;
    if (told !== undefined && !isAsKept(session, told)) await updateSession(pool, session.id, told, now());
    return answer;
  }

  /** Before what a session masks is read. */
  async function expect({ id: sessionId, tenantId }: Pick<Session, 'id' | 'tenantId'>): Promise<void> {
    const expected = await enclave.call('session.expect', { tenantId, sessionId });
    if (!expected.ok) throw new EnclaveFailed('session.expect', expected.error);
  }

  /** Asks the enclave what became of a session, and keeps it: one that it does not know is gone with an earlier one. */
  async function refresh(session: Pick<Session, 'id' | 'tenantId' | 'currentUrl'>): Promise<Told> {
    const answer = await enclave.call('session.state', { tenantId: session.tenantId, sessionId: session.id });
    if (!answer.ok && answer.error.code !== 'NOT_FOUND')
      throw new EnclaveFailed('session.state', answer.error);
    const told = answer.ok ? answer.value.reply.session : goneWithEnclave(session);
    await updateSession(pool, session.id, told, now());
    return told;
  }

  /** Returns the refusal to report, if the caller caused it. */
  async function whyNot(command: Command, session: SessionAtCall, why: EnclaveRefusal) {
    if (why.code === 'PAUSED_BY_PERSON') return pausedByPerson;
    if (why.code !== 'NOT_FOUND' && why.code !== 'SESSION_NOT_ACTIVE') throw new EnclaveFailed(command, why);
    const { status, pausedBy = null, closedReason = null } = await refresh(session);
    return (
      whyNotActive({ status, pausedBy, closedReason }) ??
      refusal('invalid_request', 'the session was paused and has been resumed: try again')
    );
  }

  /** A picture for all who watch; null where none is to be had now. */
  async function frame(session: Session, callers: readonly Caller[]) {
    const watchers = new Map(callers.map((caller) => [actorOf(caller), acting(caller, session)]));
    const whose = { tenantId: session.tenantId, sessionId: session.id };
    const answer = await enclave.call('session.frame', { ...whose, watchers: [...watchers.values()] });
    return answer.ok ? answer.value : null;
  }

  return { ask, expect, frame, refresh, whyNot };
}

/** Who acts, as the enclave records it. */
function acting(caller: Caller, session: Known): Acting {
  const agentDid = agentActing(caller, session);
  return { actor: actorOf(caller), ...(agentDid !== undefined && { agentDid }) };
}

/** Most operations leave a session as it was. */
const isAsKept = (kept: Known, { status, currentUrl, pausedBy }: SessionState): boolean =>
  status === 'active' &&
  kept.status === status &&
  kept.currentUrl === currentUrl &&
  kept.pausedBy === (pausedBy ?? null);

const pausedByPerson = refusal(
  'insufficient_scope',
  'a person paused the session, and only a person who is logged in can resume it: ask one to, or close it (DELETE)',
);

export const goneWithEnclave = ({ currentUrl }: Pick<Session, 'currentUrl'>): Told => ({
  status: 'closed',
  currentUrl,
  closedReason: 'enclave_gone',
});

const stateIn = (reply: CommandReply<Command>): SessionState | undefined =>
  'session' in reply ? reply.session : undefined;
