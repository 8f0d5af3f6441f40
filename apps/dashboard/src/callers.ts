import type { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import type { Callers, Handlers } from '@countersign/service/http';
import type { Account } from './accounts/account.ts';

/** Whoever shows an API key: an account's own, or an operator's, which acts for every payer. */
export type KeyCaller =
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'operator' };

/** Whoever is logged in. */
export type SessionCaller = { readonly sessionId: string; readonly account: Account };

export type DashboardCallers = Callers<KeyCaller, SessionCaller>;
export type DashboardHandlers = Handlers<typeof dashboardRoutes, DashboardCallers>;
