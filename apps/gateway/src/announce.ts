import type { Address } from '@countersign/protocol/address';
import { agentConsentTypes, agentWalletDomain } from '@countersign/protocol/dashboard/agent-wallet';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import type { Announcement, Announcing } from './adapters/dashboard.ts';
import type { Wallet } from './ports/wallet.ts';

const hash = typedDataHasher('AgentConsent', agentConsentTypes.AgentConsent);

/**
 * Offers the wallet to its owner as an agent, until the dashboard has heard it. It is the one thing beside payments that
 * the key of an agent wallet signs, and is good for nothing else.
 */
export function keepAnnouncing(
  owner: Address | null,
  wallet: Wallet,
  dashboard: Announcing | null,
  log: Logger,
  everyMs = 15_000,
): Service {
  if (owner === null || dashboard === null) return { stop: () => Promise.resolve() };
  let heard = false;
  let told: Announcement | null = null;
  return repeat(log, 'announce the agent wallet', everyMs, async () => {
    if (heard) return;
    const chainId = Number(/^eip155:(\d+)$/.exec((await dashboard.chain()) ?? '')?.[1] ?? Number.NaN);
    if (Number.isNaN(chainId)) return;
    const consent = { owner, agentWallet: wallet.address };
    const state = await dashboard.announce(
      wallet.address,
      wallet.sign(hash(agentWalletDomain(chainId), consent)),
    );
    heard = !heals.has(state);
    // It is asked every few seconds, and told once.
    if (state === told) return;
    told = state;
    const about = { owner, wallet: wallet.address, state };
    if (state === 'active') log.info(about, 'an agent wallet');
    else log.warn(about, says[state]);
  });
}

const says = {
  announced: 'no payment is made before the owner signs for this agent wallet in the dashboard',
  expired: 'no payment is made: the owner’s statement about this agent wallet has expired',
  revoked: 'no payment is made: the owner has revoked this agent wallet',
  refused:
    'the dashboard refuses this agent wallet: COMPLIANCE_API_KEY must be of the account of OWNER_ADDRESS',
  full: 'no payment is made: the owner has as many agent wallets as may be, or too many that wait for a signature; it is tried again',
  'not-now': 'no payment is made: the dashboard does not take this agent wallet now; it is tried again',
  unavailable: 'the dashboard has not heard of this agent wallet yet; it is tried again',
} as const satisfies Record<Exclude<Announcement, 'active'>, string>;

/** Answers that may change on another attempt. */
const heals: ReadonlySet<Announcement> = new Set(['full', 'not-now', 'unavailable']);
