import { type Queryable, rows, statement } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import { noteEnding, noteEndingOfAll } from '../elsewhere/endings.ts';
import type { Notice } from '../events/notice.ts';
import { mandateNotice } from '../mandates/notice.ts';
import { lockMandates } from '../mandates/store.ts';

type Gone = { readonly id: string };

const mark = statement(
  'close.account',
  `with inherited as (update dashboard.account set recovered_by = $2 where recovered_by = $1)
   update dashboard.account set closed_at = $3, recovered_by = $2 where id = $1`,
);
const endMandates = statement<Gone>(
  'close.mandates',
  `update dashboard.mandate set status = case when expires_at <= $2 then 'expired' else 'revoked' end
   where account_id = $1 and status in ('active', 'pending') returning id`,
);
const endAgents = statement(
  'close.agents',
  `update dashboard.agent_wallet set revoked_at = $2, next_name = null, next_networks = null, next_expires_at = null
   where account_id = $1 and revoked_at is null`,
);
const endApprovals = statement<Gone & { readonly payer: string }>(
  'close.approvals',
  `update dashboard.approval set expires_at = $2, reject_reason = 'the account was recovered and is closed' where state in ('pending', 'approved') and expires_at > $2
     and payer in (select w.wallet from dashboard.account_wallet w where w.account_id = $1) returning id, payer`,
);
const endKeys = statement(
  'close.keys',
  `update dashboard.api_key set revoked_at = $2
   where account_id = $1 and (revoked_at is null or revoked_at > $2)`,
);
const endConnections = statement(
  'close.connections',
  `with ended as (update dashboard.oauth_connection set revoked_at = $2
     where account_id = $1 and revoked_at is null returning grant_id)
   delete from dashboard.oauth_record where grant_id in (select grant_id from ended)`,
);
const endInvitations = statement(
  'close.invitations',
  `update dashboard.invitation set revoked_at = $2
   where account_id = $1 and revoked_at is null and used_at is null`,
);
const endClaims = statement(
  'close.claims',
  `update dashboard.recovery_claim set ended_at = $2
   where claimant_id = $1 and ended_at is null and done_at is null`,
);
// Of four eyes, those of a wallet that is lost are none.
const forgetWords = statement('close.first-words', 'delete from dashboard.first_word where said_by = $1');
const endSessions = statement<Gone>(
  'close.sessions',
  'delete from dashboard.session where account_id = $1 returning id',
);

/**
 * In a transaction that holds the account's lock: from now on the account is good for nothing but to be read by whoever
 * recovered it. Gives what to tell once that is committed.
 */
export async function closeAccount(
  db: Queryable,
  { id, walletAddress }: Pick<Account, 'id' | 'walletAddress'>,
  recoveredBy: string,
  now: Date,
): Promise<readonly Notice[]> {
  await lockMandates(db, id);
  await rows(db, mark, [id, recoveredBy, now]);
  const mandates = await rows(db, endMandates, [id, now]);
  const approvals = await rows(db, endApprovals, [id, now]);
  for (const end of [endAgents, endKeys, endConnections, endInvitations, endClaims])
    await rows(db, end, [id, now]);
  await rows(db, forgetWords, [id]);
  await noteEndingOfAll(db, id, now);
  await noteEnding(db, { accountId: id, id: 'holder', roles: [] }, now);
  const sessions = await rows(db, endSessions, [id]);
  return [
    { kind: 'person', id: 'holder', to: [] },
    ...mandates.map((mandate) => mandateNotice(id, mandate.id)),
    ...approvals.map((approval): Notice => ({ kind: 'approval', id: approval.id, to: [walletAddress] })),
    ...sessions.map((session): Notice => ({ kind: 'session', id: session.id, to: [id] })),
  ];
}
