import { randomBytes } from 'node:crypto';
import { identityOf } from '@countersign/service/process-identity';
import { createLogger } from '@countersign/service/logger';
import type { ConnectionCard } from '../connection-card.ts';
import { type Keys, loadApproverWallet, loadAuditor } from '../keys.ts';
import { ensureAuditor } from './auditor.ts';
import { forgetDoor, keepDoor } from './command.ts';
import { type Door, openDoor } from './door.ts';
import type { Whereabouts } from './whereabouts.ts';

type About = {
  readonly dir: string;
  readonly at: Whereabouts;
  readonly keys: Keys;
  readonly card: ConnectionCard;
};

/** The door of the system in `dir`, which has a dashboard. Until it stops, `npm start -- --links` finds it there. */
export async function openSystemDoor({ dir, at, keys, card }: About): Promise<Door> {
  const { dashboardUrl, gatewayUrl, gatewayToken, chainId } = card;
  if (dashboardUrl === null) throw new Error('a door leads to a dashboard, and there is none');
  const { owner, merchant, operator } = keys;
  const auditor = loadAuditor(dir);
  await ensureAuditor({ dashboard: new URL(dashboardUrl), chainId, owner, auditor });
  const linksKey = randomBytes(24).toString('base64url');
  const door = await openDoor({
    at,
    dashboard: new URL(dashboardUrl),
    chainId,
    wallets: { owner, merchant, operator, approver: loadApproverWallet(dir) },
    credentials: {
      auditor,
      gateway: gatewayUrl === null ? null : { url: gatewayUrl, token: gatewayToken },
    },
    linksKey,
    now: () => new Date(),
    random: randomBytes,
    log: createLogger('door', 'error'),
  });
  const runner = identityOf(process.pid);
  if (runner === null) throw new Error('this process cannot tell when it started');
  keepDoor(dir, { url: at.porch, linksKey, owner: runner });
  return {
    ...door,
    async stop() {
      forgetDoor(dir);
      await door.stop();
    },
  };
}
