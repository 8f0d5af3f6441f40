import type { Address } from '@countersign/protocol/address';
import { ok } from '@countersign/protocol/result';
import type { Pool } from '@countersign/service/sql';
import { refusal } from '../refusal.ts';
import type { DashboardHandlers } from '../callers.ts';
import { isOperatorsEye } from '../compliance/operators.ts';
import { showPerson } from '../people/person.ts';
import { showAccount } from './account.ts';
import { findAccount } from './store.ts';

/** Who is logged in, and the registered public key of any wallet. */
export function accountHandlers(
  pool: Pool,
  operators: ReadonlySet<Address>,
): Pick<DashboardHandlers, 'me' | 'publicKey'> {
  return {
    me: async ({ caller: { account, person } }) =>
      ok({
        account: showAccount(account),
        operator: isOperatorsEye(operators, { account, person }),
        person: showPerson(person),
      }),

    async publicKey({ body }) {
      const account = await findAccount(pool, body.walletAddress);
      // Whose account was recovered vouches for nothing new.
      if (account?.publicKey == null || account.closedAt !== null)
        return refusal('BUSINESS_NOT_FOUND', 'account not found');
      return ok({ walletAddress: account.walletAddress, publicKey: account.publicKey });
    },
  };
}
