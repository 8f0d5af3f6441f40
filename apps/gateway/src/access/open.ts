import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { systemTimers as timers } from '@countersign/service/timers';
import type { Wallet } from '../ports/wallet.ts';
import { keepAnnouncingGateway } from './announce.ts';
import type { AccessConfig } from './config.ts';
import type { AccessPort } from './dashboard.ts';
import { tokenJudge } from './tokens.ts';

/** Authorizes connected clients. `judge` is null without OAuth: then there are none. */
export type Access = Service & { readonly judge: ReturnType<typeof tokenJudge> | null };

/** Tells the dashboard where the gateway is, and judges what its clients show. */
export function openAccess(
  config: AccessConfig | null,
  dashboard: { readonly access: AccessPort } | null,
  { address: wallet }: Wallet,
  log: Logger,
): Access {
  if (config === null || dashboard === null) return { judge: null, stop: () => Promise.resolve() };
  const { announce, ask } = dashboard.access;
  const clocks = { now: Date.now, elapsed: () => performance.now(), pause: timers.pause };
  return {
    ...keepAnnouncingGateway(config, announce(wallet), log),
    judge: tokenJudge({ ask, wallet, resource: config.resource, issuer: config.issuer, ...clocks }),
  };
}
