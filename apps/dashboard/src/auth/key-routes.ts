import { ok } from '@countersign/protocol/result';
import type { Pool } from '@countersign/service/sql';
import { refusal } from '../refusal.ts';
import type { DashboardHandlers } from '../callers.ts';
import type { RandomBytes } from '../ids.ts';
import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  type NewApiKey,
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
      const about = { accountId: caller.account.id, name: body.name, now: now() };
      return ok(showNewKey(await createApiKey(pool, random, about)));
    },

    async listKeys({ caller }) {
      return ok({ data: (await listApiKeys(pool, caller.account.id)).map(showKey) });
    },

    async rollKey({ params, body, caller }) {
      const about = { id: params['id'] ?? '', accountId: caller.account.id, now: now(), ...body };
      const rolled = await rollApiKey(pool, random, about);
      switch (rolled) {
        case 'none':
          return refusal('BUSINESS_NOT_FOUND', 'API key not found');
        case 'ending':
          return refusal('REPEATED_SUBMIT', 'the API key is rolled or revoked already');
        default:
          return ok(showNewKey(rolled));
      }
    },

    async revokeKey({ params, caller }) {
      const id = params['id'] ?? '';
      const revoked = await revokeApiKey(pool, id, caller.account.id, now());
      return revoked ? ok({ id }) : refusal('BUSINESS_NOT_FOUND', 'API key not found');
    },
  };
}

const showNewKey = ({ id, apiKey, name, prefix, createdAt }: NewApiKey) => ({
  id,
  apiKey,
  name,
  prefix,
  createdAt: createdAt.toISOString(),
});

const showKey = ({ id, name, prefix, createdAt, lastUsedAt, revokedAt }: ApiKey) => ({
  id,
  name,
  prefix,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  revokedAt: revokedAt?.toISOString() ?? null,
});
