import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import type { AccessConfig } from './config.ts';

/** Tells the dashboard where this gateway is; gives the issuer that answers there, or why not. Never throws. */
export type AnnounceGateway = (
  resource: string,
) => Promise<{ readonly issuer: string | null } | 'not-now' | 'full'>;

/** Tells the dashboard where the gateway is until it has heard it: before that no client can be connected. */
export function keepAnnouncingGateway(
  access: AccessConfig,
  announce: AnnounceGateway,
  log: Logger,
  everyMs = 5_000,
): Service {
  let told: string | null = null;
  const tell = (what: string) => {
    if (told !== what) log.warn({ resource: access.resource, issuer: access.issuer }, what);
    told = what;
  };
  let heard = false;
  return repeat(log, 'announce the gateway', everyMs, async () => {
    if (heard) return;
    const answer = await announce(access.resource);
    if (answer === 'not-now') return tell('no client can be connected before the dashboard knows this agent');
    // A place is free as soon as the clients of another have gone.
    if (answer === 'full') return tell('no client can be connected: the agent has too many gateways');
    heard = true;
    if (answer.issuer === null) return tell('no client can be connected: the dashboard needs OAUTH=on');
    if (answer.issuer !== access.issuer)
      return tell('no client can be connected: OAUTH_ISSUER is not the public URL of the dashboard');
    log.info({ resource: access.resource }, 'clients can be connected');
  });
}
