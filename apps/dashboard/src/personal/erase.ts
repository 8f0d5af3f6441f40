import type { PersonalDataKind } from '@countersign/protocol/dashboard/personal-data';
import {
  inTransaction,
  type Pool,
  type Queryable,
  rows,
  type Statement,
  statement,
} from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';
import { eraseBusinesses } from '../business/erase.ts';
import { rewriteDue } from '../compliance/seal-identities.ts';
import { noteEndingOfAll } from '../elsewhere/endings.ts';
import type { Notice } from '../events/notice.ts';
import { mandateNotice } from '../mandates/notice.ts';
import { lockMandates } from '../mandates/store.ts';
import { eraseIdentities } from '../provider-login/identity-store.ts';
import { approvals, callArguments, screened, type Subject } from './count.ts';

type Gone = { readonly id: string };
type Erased = Partial<Record<PersonalDataKind, number>>;
export type Erasure = { readonly erased: Erased; readonly notices: readonly Notice[] };

/**
 * Deletes what is kept of a person beyond what law asks for, and ends what depends on it: mandates, agents, API keys,
 * sessions.
 * All of it or nothing. Nothing is refused, and once more is harmless. That it was done is recorded, without the data.
 */
export function erasePersonalData(
  pool: Pool,
  { accountId, wallet }: Subject,
  askedBy: 'person' | 'operator',
  now: Date,
): Promise<Erasure> {
  return inTransaction(pool, async (db) => {
    // A vendor's answer that is under way waits here, and is then dropped; so does another erasure.
    await rows(db, lockAccount, [accountId, now]);
    await lockMandates(db, accountId);
    await rows(db, voidSubmissions, [accountId, now, askedBy]);
    await rows(db, forgetWords, [accountId, wallet]);
    await rows(db, forgetReasons, [wallet]);
    const ended = await rows(db, endMandates, [accountId, now]);
    const sessions = await rows(db, deleteSessions, [accountId]);
    const agents = await rows(db, endAgents, [accountId, now]);
    await noteEndingOfAll(db, accountId, now);
    const erased: Erased = { agents: agents.length, mandates: ended.length, sessions: sessions.length };
    for (const [kind, what] of deletions) erased[kind] = (await rows(db, what, [accountId])).length;
    erased.businesses = await eraseBusinesses(db, { accountId, wallet }, askedBy, now);
    await rows(db, deleteOffers, [accountId]);
    erased.drafts = (await rows(db, emptyDrafts, [accountId, now])).length;
    erased.screenings = (await rows(db, stripScreenings, [accountId])).length;
    await rows(db, record, [accountId, askedBy, erased, now]);
    return {
      erased,
      notices: [
        ...ended.map(({ id }) => mandateNotice(accountId, id)),
        ...sessions.map(({ id }): Notice => ({ kind: 'session', id, to: [accountId] })),
      ],
    };
  });
}

const lockAccount = statement(
  'erase.account',
  'update dashboard.account set identity_erased_at = $2 where id = $1',
);

// The lock of each row first: an operator's decision comes before it, or finds nothing to decide. A process that seals
// the row has sealed it by then, and only the next statement sees that.
const voidSubmissions = statement(
  'erase.void-submissions',
  `with ${rewriteDue('account_id = $1')}
   update dashboard.kyc_submission set erased_status = status, status = 'rejected', reason = null,
     erased_at = coalesce(erased_at, $2), erased_for = $3,
     full_name = null, country = null, document_type = null, document_number = null
   where account_id = $1 and erased_status is null`,
);

const forgetWords = statement(
  'erase.first-words',
  `delete from dashboard.first_word where (deed = 'restore' and subject = $2)
     or (deed = 'approve' and subject in (select id from dashboard.kyc_submission where account_id = $1))`,
);

// Operators wrote them, about this person. That somebody is on the deny list, and why, is not of these.
const forgetReasons = statement(
  'erase.reasons',
  `update dashboard.compliance_history set reason = null where wallet = $1 and reason is not null
     and coalesce(detail ->> 'deed', deed) in ('approve', 'reject', 'withdraw', 'restore')`,
);

const endMandates = statement<Gone>(
  'erase.end-mandates',
  `update dashboard.mandate set status = case when expires_at <= $2 then 'expired' else 'revoked' end
   where account_id = $1 and status in ('active', 'pending') and activated_at is not null returning id`,
);

// A statement that was signed stays, as mandates do; an offer that never was is deleted.
const endAgents = statement<Gone>(
  'erase.end-agents',
  `update dashboard.agent_wallet set revoked_at = $2, next_name = null, next_networks = null, next_expires_at = null
   where account_id = $1 and signed_at is not null and revoked_at is null returning id`,
);
const deleteOffers = statement(
  'erase.agent-offers',
  'delete from dashboard.agent_wallet where account_id = $1 and signed_at is null',
);

const deleteSessions = statement<Gone>(
  'erase.sessions',
  'delete from dashboard.session where account_id = $1 returning id',
);

/** Each gives a row for each that it deleted. */
const deletions: readonly (readonly [PersonalDataKind, Statement<unknown>])[] = [
  [
    'identities',
    statement(
      'erase.identities',
      `delete from dashboard.kyc_identity i using dashboard.kyc_submission k
       where k.id = i.submission_id and k.account_id = $1 returning 1`,
    ),
  ],
  [
    'callArguments',
    statement(
      'erase.arguments',
      `delete from dashboard.approval_arguments x where ${callArguments} returning 1`,
    ),
  ],
  [
    'unpaidApprovals',
    statement(
      'erase.approvals',
      `delete from dashboard.approval p where ${approvals} and p.state <> 'used' returning 1`,
    ),
  ],
  ['alerts', statement('erase.alerts', 'delete from dashboard.alert where account_id = $1 returning 1')],
  [
    'connections',
    statement(
      'erase.connections',
      `with tokens as (delete from dashboard.oauth_record where grant_id in
         (select grant_id from dashboard.oauth_connection where account_id = $1)),
       places as (delete from dashboard.oauth_gateway where account_id = $1)
       delete from dashboard.oauth_connection where account_id = $1 returning 1`,
    ),
  ],
  [
    'people',
    statement(
      'erase.people',
      `with gone as (delete from dashboard.invitation where account_id = $1 returning 1),
       ${eraseIdentities},
       people as (delete from dashboard.person where account_id = $1 returning 1)
       select 1 from gone union all select 1 from met union all select 1 from out union all select 1 from people`,
    ),
  ],
  [
    'changes',
    statement('erase.changes', 'delete from dashboard.account_change where account_id = $1 returning 1'),
  ],
  ['apiKeys', statement('erase.keys', 'delete from dashboard.api_key where account_id = $1 returning 1')],
];

// The rows stay, empty: to delete one PostgreSQL would look through all holds for one that refers to it.
const emptyDrafts = statement(
  'erase.drafts',
  `update dashboard.mandate set title = '', status = 'revoked', deleted_at = coalesce(deleted_at, $2),
     period_every = null, period_budget = null, allowed_merchants = null, allowed_services = null, approval_threshold = null
   where account_id = $1 and activated_at is null and title <> '' returning 1`,
);

const stripScreenings = statement(
  'erase.screenings',
  `update dashboard.screening set sealed_answer = null, key_id = null, request_id = null
   where ${screened} and (sealed_answer is not null or request_id is not null) returning 1`,
);

export const erasureTable = sqlTable('dashboard.erasure', 'e', [
  'accountId',
  'askedBy',
  'erased',
  'erasedAt',
]);

const record = statement(
  'erase.record',
  `${erasureTable.insertInto('accountId', 'askedBy', 'erased', 'erasedAt')} values ($1, $2, $3, $4)`,
);

const find = statement<{ accountId: string; wallet: Subject['wallet'] }>(
  'erase.find',
  `select id as "accountId", wallet_address as wallet from dashboard.account where id = $1 or wallet_address = $1`,
);

/** The account of this id or wallet; null when there is none. */
export const findSubject = async (db: Queryable, name: string): Promise<Subject | null> =>
  (await rows(db, find, [name]))[0] ?? null;
