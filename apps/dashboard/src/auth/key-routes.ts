import type { Address } from '@countersign/protocol/address';
import { ofWholeAccount } from '@countersign/protocol/dashboard/key-scopes';
import { fail, ok } from '@countersign/protocol/result';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import { type Answer, refusal, type Refusal } from '../refusal.ts';
import { findAgentByWallet } from '../agents/store.ts';
import { daysAfter } from '../mandates/lifecycle.ts';
import { lockMandates } from '../mandates/store.ts';
import type { DashboardHandlers } from '../callers.ts';
import type { RandomBytes } from '../ids.ts';
import { whyNoLonger } from '../people/roles-now.ts';
import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  type NewApiKey,
  type Reach,
  revokeApiKey,
  rollApiKey,
} from './api-key.ts';

type KeyParts = { readonly pool: Pool; readonly now: () => Date; readonly random: RandomBytes };

/** The API keys of an account. */
export function keyHandlers({
  pool,
  now,
  random,
}: KeyParts): Pick<DashboardHandlers, 'createKey' | 'listKeys' | 'rollKey' | 'revokeKey'> {
  return {
    async createKey({ body, caller }) {
      const { name, scopes = null, agentWallet = null, validDays } = body;
      if (agentWallet !== null && scopes?.includes(ofWholeAccount)) return fail(wholeAccountOrAgent);
      const accountId = caller.account.id;
      const made = await inTransaction<Answer<NewApiKey>>(pool, async (db) => {
        const why = await whyNoLonger(db, caller, 'createKey');
        if (why !== null) return fail(why);
        await lockMandates(db, accountId);
        const time = now();
        const noAgent = agentWallet !== null && (await isNoAgent(db, accountId, agentWallet, time));
        if (noAgent) return refusal('BUSINESS_NOT_FOUND', 'agent not found, or revoked or expired');
        const expiresAt = validDays === undefined ? null : daysAfter(time, validDays);
        const personId = caller.person.id;
        const about = { accountId, personId, name, now: time, scopes, agentWallet, expiresAt };
        return ok(await createApiKey(db, random, about));
      });
      return made.ok ? ok(showNewKey(made.value)) : made;
    },

    async listKeys({ caller }) {
      return ok({ data: (await listApiKeys(pool, caller.account.id, now())).map(showKey) });
    },

    async rollKey({ params, body, caller }) {
      const whose = { accountId: caller.account.id, personId: caller.person.id };
      const about = { id: params['id'] ?? '', ...whose, now: now(), ...body };
      const rolled = await inTransaction<Answer<Rolled>>(pool, async (db) => {
        const why = await whyNoLonger(db, caller, 'rollKey');
        if (why !== null) return fail(why);
        // INVARIANT: none is rolled while its agent is stopped; the successor would outlive the stop.
        await lockMandates(db, about.accountId);
        return ok(await rollApiKey(db, random, about));
      });
      if (!rolled.ok) return rolled;
      switch (rolled.value) {
        case 'none':
          return refusal('BUSINESS_NOT_FOUND', 'API key not found');
        case 'ending':
          return refusal(
            'REPEATED_SUBMIT',
            'the API key has already been rolled or revoked, or ended with its agent’s terms',
          );
        default:
          return ok(showNewKey(rolled.value));
      }
    },

    async revokeKey({ params, caller }) {
      const id = params['id'] ?? '';
      const revoked = await revokeApiKey(pool, id, caller.account.id, now());
      return revoked ? ok({ id }) : refusal('BUSINESS_NOT_FOUND', 'API key not found');
    },
  };
}

type Rolled = Awaited<ReturnType<typeof rollApiKey>>;

const wholeAccountOrAgent: Refusal = {
  code: 'INVALID_PARAM',
  msg: `scopes: ${ofWholeAccount} reads the log of the whole account and cannot be used with agentWallet`,
};

/** A key that is for one agent ends with it and with its terms, so there is none for one that has ended. */
const isNoAgent = async (db: Queryable, accountId: string, wallet: Address, now: Date): Promise<boolean> => {
  const agent = await findAgentByWallet(db, accountId, wallet, now);
  return agent === null || agent.state === 'revoked' || agent.state === 'expired';
};

const showReach = ({ scopes, agentWallet, expiresAt }: Reach) => ({
  scopes,
  agentWallet,
  expiresAt: expiresAt?.toISOString() ?? null,
});

const showNewKey = ({ id, apiKey, name, prefix, createdAt, ...reach }: NewApiKey) => ({
  id,
  apiKey,
  name,
  prefix,
  createdAt: createdAt.toISOString(),
  ...showReach(reach),
});

const showKey = ({ id, name, prefix, createdAt, lastUsedAt, revokedAt, ...reach }: ApiKey) => ({
  id,
  name,
  prefix,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  revokedAt: revokedAt?.toISOString() ?? null,
  ...showReach(reach),
});
