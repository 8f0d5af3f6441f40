import type { Address } from '@countersign/protocol/address';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { findAgentByWallet } from '../agents/store.ts';
import type { Refusal } from '../refusal.ts';
import { columns, type MandateRecord } from './store.ts';
import { mandateTable } from './table.ts';

const ofAgents = statement<MandateRecord>(
  'mandate.of-agents',
  `select ${columns} from unnest($2::text[]) wallet cross join lateral (
     select * from dashboard.mandate l where l.agent_wallet = wallet and l.deleted_at is null
     order by (l.status = 'active' and l.expires_at > $1) desc, l.seq desc limit 1) m`,
);

/** Returns each agent's active mandate, or else its newest; nothing for an agent that never had one. */
export const findAgentMandates = (
  db: Queryable,
  wallets: readonly Address[],
  now: Date,
): Promise<readonly MandateRecord[]> => rows(db, ofAgents, [now, wallets]);

const revokeOfAgent = statement<{ id: string }>(
  'mandate.revoke-of-agent',
  `update dashboard.mandate m set status = case when m.expires_at <= $1 then 'expired' else 'revoked' end
   where m.account_id = $2 and m.agent_wallet = $3 and m.status = 'active' returning m.id`,
);

/** Ends the active mandate of an agent that is revoked. Holds `lockMandates`. */
export const revokeMandatesOf = (
  db: Queryable,
  accountId: string,
  agentWallet: Address,
  now: Date,
): Promise<readonly { readonly id: string }[]> => rows(db, revokeOfAgent, [now, accountId, agentWallet]);

const payerOf = statement<{ agentWallet: Address | null }>(
  'mandate.agent-of',
  `select ${mandateTable.list('agentWallet')} from ${mandateTable.from} where m.account_id = $1 and m.id = $2`,
);

/** The agent that pays by a mandate of the account: it never changes. Null for the owner's own wallet, and for no such mandate. */
export const agentOfMandate = async (db: Queryable, accountId: string, id: string): Promise<Address | null> =>
  (await firstRow(db, payerOf, [accountId, id]))?.agentWallet ?? null;

const noActiveAgent: Refusal = {
  code: 'BUSINESS_NOT_FOUND',
  msg: 'agent not found, or not active: sign its statement first',
};

/** Why there can be no mandate for this agent of the account now; null when there can, and for the owner's own wallet. */
export async function whyNoAgent(
  db: Queryable,
  accountId: string,
  agentWallet: Address | null,
  now: Date,
): Promise<Refusal | null> {
  if (agentWallet === null) return null;
  const agent = await findAgentByWallet(db, accountId, agentWallet, now);
  return agent?.state === 'active' ? null : noActiveAgent;
}
