import { hash } from 'node:crypto';
import type { Role } from '@countersign/protocol/dashboard/roles';
import type { Address } from '@countersign/protocol/address';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import { accountTable } from '../accounts/store.ts';

const made = [
  'id',
  'accountId',
  'sha256',
  'name',
  'roles',
  'personId',
  'invitedBy',
  'invitedByName',
  'createdAt',
  'expiresAt',
] as const;
export const invitationTable = sqlTable('dashboard.invitation', 'i', [...made, 'usedAt', 'revokedAt']);

export type Invitation = {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly roles: readonly Role[];
  /** Whose sign-in it replaces; null: somebody new. */
  readonly personId: string | null;
  /** Null: the wallet's holder. */
  readonly invitedBy: string | null;
  readonly invitedByName: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};
export type ListedInvitation = Invitation & { readonly usedAt: Date | null; readonly revokedAt: Date | null };

const columns = invitationTable.list(
  'id',
  'accountId',
  'name',
  'roles',
  'personId',
  'invitedBy',
  'invitedByName',
  'createdAt',
  'expiresAt',
);

/** Returns the stored hash of an invitation's token. */
export const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer');

const insert = statement(
  'invitation.insert',
  `${invitationTable.insertInto(...made)} values (${placeholders(made)})`,
);

export async function insertInvitation(db: Queryable, one: Invitation, token: string): Promise<void> {
  const { id, accountId, name, roles, personId, invitedBy, invitedByName, createdAt, expiresAt } = one;
  const values = [personId, invitedBy, invitedByName, createdAt, expiresAt];
  await rows(db, insert, [id, accountId, hashOf(token), name, [...roles], ...values]);
}

const newest = statement<ListedInvitation>(
  'invitation.list',
  `select ${columns}, ${invitationTable.list('usedAt', 'revokedAt')} from ${invitationTable.from}
   where i.account_id = $1 order by i.seq desc limit 100`,
);

export const listInvitations = (db: Queryable, accountId: string): Promise<readonly ListedInvitation[]> =>
  rows(db, newest, [accountId]);

const isOpen = 'i.used_at is null and i.revoked_at is null and i.expires_at > $2';

type Open = { readonly open: number; readonly theirs: number };
const openOf = statement<Open>(
  'invitation.count',
  `select count(*)::int as open, (count(*) filter (where i.invited_by is not distinct from $3))::int as theirs
   from ${invitationTable.from} where i.account_id = $1 and i.person_id is null and ${isOpen}`,
);

/** Open invitations for somebody new: of the account, and of this inviter. */
export const countOpen = async (
  db: Queryable,
  { accountId, invitedBy }: Pick<Invitation, 'accountId' | 'invitedBy'>,
  now: Date,
): Promise<Open> => (await firstRow(db, openOf, [accountId, now, invitedBy])) ?? { open: 0, theirs: 0 };

const offered = statement<Pick<Invitation, 'roles' | 'personId'>>(
  'invitation.offered',
  `select ${invitationTable.list('roles', 'personId')} from ${invitationTable.from}
   where i.id = $1 and i.account_id = $3 and ${isOpen}`,
);

/** Returns what an open invitation of this account offers. */
export const findOffer = (db: Queryable, accountId: string, id: string, now: Date) =>
  firstRow(db, offered, [id, now, accountId]);

const find = statement<Invitation & { readonly walletAddress: Address }>(
  'invitation.find',
  `select ${columns}, ${accountTable.list('walletAddress')}
   from ${invitationTable.from} join ${accountTable.from} on a.id = i.account_id where i.sha256 = $1 and ${isOpen}`,
);

/** The open invitation of this token. */
export const findInvitation = (db: Queryable, token: string, now: Date) =>
  firstRow(db, find, [hashOf(token), now]);

const use = statement<{ id: string }>(
  'invitation.use',
  `update dashboard.invitation i set used_at = $2 where i.id = $1 and ${isOpen} returning i.id`,
);

/** Uses an invitation up: true exactly once. */
export const useInvitation = async (db: Queryable, id: string, now: Date): Promise<boolean> =>
  (await firstRow(db, use, [id, now])) !== null;

const revoke = statement<{ id: string }>(
  'invitation.revoke',
  `update dashboard.invitation i set revoked_at = $2 where i.id = $1 and i.account_id = $3 and ${isOpen} returning i.id`,
);

export const revokeInvitation = async (
  db: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<boolean> => (await firstRow(db, revoke, [id, now, accountId])) !== null;

const revokeThose = statement(
  'invitation.revoke-of',
  `update dashboard.invitation i set revoked_at = $2 where i.invited_by = $1 and ${isOpen}`,
);

/** Revokes what somebody has offered who may no longer offer it. */
export async function revokeInvitationsBy(db: Queryable, personId: string, now: Date): Promise<void> {
  await rows(db, revokeThose, [personId, now]);
}

const revokeRenewals = statement(
  'invitation.revoke-renewals',
  `update dashboard.invitation i set revoked_at = $2 where i.person_id = $1 and ${isOpen}`,
);

/** Revokes all links that would replace a person's sign-in. */
export async function revokeRenewalsOf(db: Queryable, personId: string, now: Date): Promise<void> {
  await rows(db, revokeRenewals, [personId, now]);
}
