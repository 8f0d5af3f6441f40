import type { Address } from '@countersign/protocol/address';
import { ok } from '@countersign/protocol/result';
import { hashMessage } from '@countersign/service/ethereum/message';
import { type ContractSigned, findSigner } from '@countersign/service/ethereum/wallet-signature';
import type { Pool } from '@countersign/service/sql';
import { refusal } from '../refusal.ts';
import { showAccount } from '../accounts/account.ts';
import { ensureAccount } from '../accounts/store.ts';
import type { DashboardHandlers, SessionCaller } from '../callers.ts';
import type { Tell } from '../events/notice.ts';
import type { RandomBytes } from '../ids.ts';
import type { Sessions } from './session.ts';
import { type LoginRules, readLoginMessage, whyNotAcceptable } from './siwe.ts';
import { burnNonce, insertNonce, listSessions, revokeSession, type Session } from './store.ts';

type AuthParts = {
  readonly pool: Pool;
  readonly sessions: Sessions;
  readonly rules: LoginRules;
  /** Null: wallets that are contracts cannot log in. */
  readonly contractSigned: ContractSigned | null;
  readonly now: () => Date;
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
      const message = readLoginMessage(body.message);
      if (message === null) return failed('the message is not an EIP-4361 message in canonical form');
      // Burnt before anything else is looked at: a message gets one try, whatever becomes of it.
      if (!(await burnNonce(pool, message.nonce, now())))
        return failed('the nonce is unknown, used or too old');
      const why = whyNotAcceptable(message, parts.rules, now());
      if (why !== null) return failed(why);
      const key = await keyOf(parts, message.address, body);
      if (!key.signed) return failed(key.why);

      const account = await ensureAccount(pool, {
        id: random(12).toString('hex'),
        walletAddress: message.address,
        publicKey: key.publicKey,
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

type Proof =
  | { readonly signed: true; readonly publicKey: string | null }
  | { readonly signed: false; readonly why: string };

/** Whether this wallet signed the message. A wallet that is a contract has no public key (null). */
async function keyOf(
  { contractSigned }: AuthParts,
  wallet: Address,
  { message, signature }: { readonly message: string; readonly signature: string },
): Promise<Proof> {
  const hash = hashMessage(message);
  const signer = await findSigner([wallet], hash, signature, contractSigned);
  if (signer !== null) return { signed: true, publicKey: signer.publicKey };
  const why = 'the signature is not of this wallet';
  return {
    signed: false,
    why: contractSigned === null ? `${why} (one that is a contract needs EVM_RPC_URL)` : why,
  };
}

const showSession = ({ id, createdAt, lastSeenAt, expiresAt }: Session, caller: SessionCaller) => ({
  id,
  createdAt: createdAt.toISOString(),
  lastSeenAt: lastSeenAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  current: id === caller.sessionId,
});
