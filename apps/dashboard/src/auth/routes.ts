import { erasureStatement } from '@countersign/protocol/dashboard/erasure-statement';
import { ok } from '@countersign/protocol/result';
import { refusal } from '../refusal.ts';
import { showAccount } from '../accounts/account.ts';
import { openAccount } from '../accounts/open.ts';
import type { DashboardHandlers, SessionCaller } from '../callers.ts';
import type { Tell } from '../events/notice.ts';
import type { RandomBytes } from '../ids.ts';
import { beginChange, endChange } from '../people/changes.ts';
import { holder, personOf, showActor } from '../people/person.ts';
import type { Sessions } from './session.ts';
import { proveWallet, type ProofParts } from './wallet-proof.ts';
import { insertNonce, listSessions, revokeSession, type Session } from './store.ts';

type AuthParts = ProofParts & {
  readonly sessions: Sessions;
  readonly random: RandomBytes;
  readonly tell: Tell;
};

const nonceLifeMs = 10 * 60_000;

/** Log in with a wallet, log out, and the sessions of an account. */
export function authHandlers(
  parts: AuthParts,
): Pick<DashboardHandlers, 'nonce' | 'login' | 'logout' | 'listSessions' | 'revokeSession'> {
  const { pool, sessions, now, random, tell } = parts;
  /** An owner sees and ends any session of the account; everybody else their own. */
  const isTheirs = ({ personId }: Session, { person }: SessionCaller): boolean =>
    person.roles.includes('owner') || personId === person.id;
  const sessionsOf = async (caller: SessionCaller): Promise<readonly Session[]> =>
    (await listSessions(pool, caller.account.id, now())).filter((session) => isTheirs(session, caller));
  const end = async (id: string, caller: SessionCaller): Promise<boolean> => {
    const { account, person } = caller;
    const personId = person.roles.includes('owner') ? null : person.id;
    const ended = await revokeSession(pool, { id, accountId: account.id, personId }, now());
    if (ended) tell({ kind: 'session', id, to: [account.id] });
    return ended;
  };
  return {
    async nonce() {
      const nonce = random(16).toString('hex');
      await insertNonce(pool, nonce, new Date(now().getTime() + nonceLifeMs), now());
      return ok({ nonce, chainId: parts.rules.chainId });
    },

    async login({ body }) {
      const failed = (why: string) => refusal('AUTHENTICATION_FAILED', why);
      const proof = await proveWallet(parts, body);
      if (!proof.ok) return failed(proof.error);
      const { message, publicKey } = proof.value;
      if (message.statement === erasureStatement)
        return failed('this message asks for an erasure and cannot be used to log in');

      const account = await openAccount(pool, {
        id: random(12).toString('hex'),
        walletAddress: message.address,
        publicKey,
        createdAt: now(),
      });
      if (account === null)
        return failed('this wallet is an agent’s: its owner logs in with the owner’s wallet');
      const { token, expiresAt, cookie } = await sessions.open(account, holder);
      const data = { token, expiresAt: expiresAt.toISOString(), account: showAccount(account) };
      return { ...ok(data), headers: { 'set-cookie': cookie } };
    },

    async logout({ caller }) {
      await end(caller.sessionId, caller);
      return { ...ok(null), headers: { 'set-cookie': sessions.forget } };
    },

    async listSessions({ caller }) {
      const live = await sessionsOf(caller);
      return ok({ data: live.map((session) => showSession(session, caller)) });
    },

    async revokeSession({ params, caller }) {
      const id = params['id'] ?? '';
      const found = (await sessionsOf(caller)).find((session) => session.id === id);
      const change = found === undefined ? null : await beginOthers(parts, found, caller);
      const ended = await end(id, caller);
      if (change !== null) await endChange(pool, change, 'done', id);
      return ended ? ok({ id }) : refusal('BUSINESS_NOT_FOUND', 'session not found');
    },
  };
}

/** Puts on record that somebody ends a session that is not theirs; null for one that is. */
async function beginOthers(
  { pool, now }: AuthParts,
  { personId }: Session,
  { account, person }: SessionCaller,
) {
  if (personId === person.id) return null;
  const about = { deed: 'revokeSession', subject: personId ?? 'holder', at: now() };
  return beginChange(pool, { accountId: account.id, person, ...about });
}

const showSession = ({ id, createdAt, lastSeenAt, expiresAt, ...whose }: Session, caller: SessionCaller) => ({
  id,
  person: showActor(personOf(whose)),
  createdAt: createdAt.toISOString(),
  lastSeenAt: lastSeenAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  current: id === caller.sessionId,
});
