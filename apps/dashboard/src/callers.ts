import type { DashboardCode } from '@countersign/protocol/dashboard/codes';
import type { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import type { Callers, Handlers } from '@countersign/service/http';
import type { Account } from './accounts/account.ts';

/** Whoever shows an API key: an account's own, or an operator's, which acts for every payer. */
export type KeyCaller =
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'operator' };

/** Whoever is logged in. */
export type SessionCaller = { readonly sessionId: string; readonly account: Account };

/** Who writes with a key: an account, or the operators (null), who may for everyone. */
export type Reporter = { readonly accountId: string } | null;

export const reporterOf = (caller: KeyCaller): Reporter =>
  caller.kind === 'operator' ? null : { accountId: caller.account.id };

/** The text under which the tables keep a reporter. No account has the id `operator`. */
export const reporterName = (reporter: Reporter): string => reporter?.accountId ?? 'operator';

export type DashboardCallers = Callers<{
  readonly 'api-key': KeyCaller;
  readonly session: SessionCaller;
}>;
export type DashboardHandlers = Handlers<typeof dashboardRoutes, DashboardCallers, DashboardCode>;
