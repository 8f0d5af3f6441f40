import type { Address } from '@countersign/protocol/address';
import type { oauthRoutes } from '@countersign/protocol/dashboard/oauth';
import type { DashboardCode } from '@countersign/protocol/dashboard/codes';
import type { Client } from '@countersign/service/client';
import type { AnnounceGateway } from './announce.ts';
import type { AskAbout } from './tokens.ts';

/** The OAuth endpoints of the dashboard. */
export type AccessPort = {
  readonly announce: (wallet: Address) => AnnounceGateway;
  readonly ask: AskAbout;
};

type Asked = Pick<typeof oauthRoutes, 'announceGateway' | 'introspectTokens'>;

export const accessPort = (client: Omit<Client<Asked, DashboardCode>, 'close'>): AccessPort => ({
  announce: (agentWallet) => async (resource) => {
    const answer = await client.announceGateway({ body: { agentWallet, resource } });
    if (answer.kind === 'ok') return answer.data;
    return answer.kind === 'refused' && answer.code === 'REPEATED_SUBMIT' ? 'full' : 'not-now';
  },
  async ask(tokenHashes) {
    const answer = await client.introspectTokens({ body: { tokenHashes: [...tokenHashes] } });
    if (answer.kind !== 'ok' || answer.data.tokens.length !== tokenHashes.length) return null;
    return answer.data.tokens;
  },
});
