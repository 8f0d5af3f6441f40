import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import { findAccountById } from '../accounts/store.ts';
import { isDenied } from '../compliance/sanctions-store.ts';
import type { Notice, Tell } from '../events/notice.ts';
import { closeAccount } from './close.ts';
import { recoveryNotice } from './notice.ts';
import * as store from './store.ts';

const everyMs = 5_000;

/** Closes accounts when the delay of their recovery is over; what a killed process left is done by the next. */
export const startRecovering = (pool: Pool, now: () => Date, tell: Tell, log: Logger): Service =>
  repeat(log, 'close accounts that are recovered', everyMs, () => closeDue(pool, now(), tell, log));

/** Each account in a transaction of its own: one that fails holds up no other. */
export async function closeDue(pool: Pool, now: Date, tell: Tell, log: Logger): Promise<void> {
  for (const id of await store.dueClaims(pool, now)) {
    try {
      const notices = await inTransaction(pool, (db) => settle(db, id, now));
      for (const notice of notices) tell(notice);
      if (notices.length > 0) log.info({ claim: id }, 'a recovery came to its end');
    } catch (err) {
      log.error({ claim: id, err }, 'a recovery could not be ended: it is tried again');
    }
  }
}

/** Closes the account of a claim whose time has come, or ends the claim where the one who made it may not have it any more. */
async function settle(db: Queryable, id: string, now: Date): Promise<readonly Notice[]> {
  const before = await store.findClaim(db, id);
  if (before === null) return [];
  await store.lockAccounts(db, [before.accountId, before.claimantId]);
  // Another process, or an objection, may have been faster.
  const claim = await store.findClaim(db, id);
  if (claim === null) return [];
  const told = [recoveryNotice(claim.accountId), recoveryNotice(claim.claimantId)];
  const account = await findAccountById(db, claim.accountId);
  if (account === null || (await isDenied(db, claim.claimant))) {
    await store.endClaim(db, id, null, now);
    return told;
  }
  await store.finishClaim(db, id, now);
  return [...told, ...(await closeAccount(db, account, claim.claimantId, now))];
}
