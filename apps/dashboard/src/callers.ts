import type { Address } from '@countersign/protocol/address';
import type { DashboardCode } from '@countersign/protocol/dashboard/codes';
import type { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import type { Callers, Handlers } from '@countersign/service/http';
import type { Account } from './accounts/account.ts';
import type { Person } from './people/person.ts';

/**
 * Whoever shows an API key: an account's own, or an operator's, which acts for every payer. A key of one agent
 * (`agentWallet`) speaks for that wallet alone: what it says of any other of the account's wallets is refused.
 */
export type KeyCaller =
  | {
      readonly kind: 'account';
      readonly account: Account;
      readonly keyId: string;
      readonly agentWallet: Address | null;
    }
  | { readonly kind: 'operator' };

/** Whoever is logged in: an account, and who of its people. */
export type SessionCaller = {
  readonly sessionId: string;
  readonly account: Account;
  readonly person: Person;
};

/** Whoever reads an account's log: logged in, or with a key (null) of that account. */
export type ReadCaller = { readonly account: Account; readonly person: Person | null };

/** Who writes with a key: an account, for one agent alone where it says so, or the operators (null), who may for everyone. */
export type Reporter = { readonly accountId: string; readonly agentWallet?: Address | null } | null;

export const reporterOf = (caller: KeyCaller): Reporter =>
  caller.kind === 'operator' ? null : { accountId: caller.account.id, agentWallet: caller.agentWallet };

/** The text under which the tables keep a reporter. No account has the id `operator`. */
export const reporterName = (reporter: Reporter): string => reporter?.accountId ?? 'operator';

/** Returns whether the caller's key is another agent's, and so may not speak for this wallet. */
export const isOfAnotherAgent = (caller: KeyCaller, wallet: Address | null): boolean =>
  caller.kind === 'account' && caller.agentWallet !== null && caller.agentWallet !== wallet;

export type DashboardCallers = Callers<{
  readonly 'api-key': KeyCaller;
  readonly session: SessionCaller;
  readonly 'session-or-key': ReadCaller;
}>;
export type DashboardHandlers = Handlers<typeof dashboardRoutes, DashboardCallers, DashboardCode>;
