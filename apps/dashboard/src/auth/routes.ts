import { erasureStatement } from '@countersign/protocol/dashboard/erasure-statement';
import { ok } from '@countersign/protocol/result';
import { refusal } from '../refusal.ts';
import { showAccount } from '../accounts/account.ts';
import { ensureAccount } from '../accounts/store.ts';
import type { DashboardHandlers, SessionCaller } from '../callers.ts';
import type { Tell } from '../events/notice.ts';
import type { RandomBytes } from '../ids.ts';
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
  const end = async (id: string, accountId: string): Promise<boolean> => {
    const ended = await revokeSession(pool, id, accountId, now());
    if (ended) tell({ kind: 'session', id, to: [accountId] });
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
      if (message.statement === erasureStatement) return failed('this message erases, and logs nobody in');

      const account = await ensureAccount(pool, {
        id: random(12).toString('hex'),
        walletAddress: message.address,
        publicKey,
        createdAt: now(),
      });
      const { token, expiresAt, cookie } = await sessions.open(account);
      const data = { token, expiresAt: expiresAt.toISOString(), account: showAccount(account) };
      return { ...ok(data), headers: { 'set-cookie': cookie } };
    },

    async logout({ caller }) {
      await end(caller.sessionId, caller.account.id);
      return { ...ok(null), headers: { 'set-cookie': sessions.forget } };
    },

    async listSessions({ caller }) {
      const live = await listSessions(pool, caller.account.id, now());
      return ok({ data: live.map((session) => showSession(session, caller)) });
    },

    async revokeSession({ params, caller }) {
      const id = params['id'] ?? '';
      return (await end(id, caller.account.id))
        ? ok({ id })
        : refusal('BUSINESS_NOT_FOUND', 'session not found');
    },
  };
}

const showSession = ({ id, createdAt, lastSeenAt, expiresAt }: Session, caller: SessionCaller) => ({
  id,
  createdAt: createdAt.toISOString(),
  lastSeenAt: lastSeenAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  current: id === caller.sessionId,
});
