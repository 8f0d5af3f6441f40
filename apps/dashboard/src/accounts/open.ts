import { inTransaction, type Pool } from '@countersign/service/sql';
import { findSignedAgent, lockWallet } from '../agents/store.ts';
import type { Account } from './account.ts';
import { ensureAccount, type NewAccount } from './store.ts';

/**
 * The account of this wallet, made if there is none yet; null for a wallet that an owner has signed as an agent, also
 * after that ended. INVARIANT: no wallet is both, so that whoever has an agent's key has no account and no session.
 */
export const openAccount = (pool: Pool, account: NewAccount): Promise<Account | null> =>
  inTransaction(pool, async (db) => {
    await lockWallet(db, account.walletAddress);
    const agent = await findSignedAgent(db, account.walletAddress, account.createdAt);
    return agent === null ? ensureAccount(db, account) : null;
  });
