import type { DashboardEvent } from '@countersign/protocol/dashboard/events';
import { type TransactionRecord, transactionRecord } from '@countersign/protocol/dashboard/transaction';
import type { SessionRoute } from '@countersign/protocol/dashboard/routes';
import { mayCall } from '@countersign/protocol/dashboard/who-may';
import type { Pool } from '@countersign/service/sql';
import { showAlert } from '../alerts/routes.ts';
import { findAlert } from '../alerts/store.ts';
import { showApproval } from '../approvals/routes.ts';
import { findApproval } from '../approvals/store.ts';
import type { SessionCaller } from '../callers.ts';
import { type Delays, readRecovery } from '../recovery/show.ts';
import { showMandate } from '../mandates/credential.ts';
import { findMandate } from '../mandates/store.ts';
import { findTransaction, type FoundTransaction } from '../transactions/store.ts';
import { showTransaction } from '../transactions/routes.ts';
import type { Subject } from './event-stream.ts';

const shownOr = <T, S>(record: T | null, show: (record: T) => S | null): S | null =>
  record === null ? null : show(record);

/** Returns the transaction as lists show it, without mere claims of others; null if lists leave it out. */
const showListed = (row: FoundTransaction): TransactionRecord | null =>
  row.counts ? transactionRecord.parse(showTransaction(row)) : null;

/** Nobody hears of what their role does not list. */
const listedBy = {
  mandate: 'listMandates',
  approval: 'listApprovals',
  transaction: 'listTransactions',
  alert: 'listAlerts',
  recovery: 'getRecovery',
} as const satisfies Record<Subject['kind'], SessionRoute>;

/** Reads what a notice was about, under the same rules as the lists: what is not the account's is not there. */
export const recordReader =
  (pool: Pool, delays: Delays, now: () => Date) =>
  async (
    { kind, id }: Subject,
    { account, person }: SessionCaller,
  ): Promise<DashboardEvent['data'] | null> => {
    if (!mayCall(listedBy[kind], person)) return null;
    const wallet = account.walletAddress;
    switch (kind) {
      case 'mandate':
        return shownOr(await findMandate(pool, account.id, String(id), now()), showMandate);
      case 'approval':
        return shownOr(await findApproval(pool, String(id), wallet, now()), showApproval);
      case 'transaction':
        return shownOr(await findTransaction(pool, wallet, Number(id)), showListed);
      case 'alert':
        return shownOr(await findAlert(pool, account.id, Number(id)), showAlert);
      case 'recovery':
        return readRecovery(pool, account, delays, now());
    }
  };
