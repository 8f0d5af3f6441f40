import type { DashboardCode } from '@countersign/protocol/dashboard/codes';
import type { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { loginMessage } from '@countersign/sdk/wallet';
import type { Answer, Client } from '@countersign/service/client';
import { hashMessage } from '@countersign/service/ethereum/message';
import { signHash } from '@countersign/service/ethereum/signature';
import type { Wallet } from './keys.ts';
import { keyBytes } from './private-key.ts';

export type Dashboard = Client<typeof dashboardRoutes, DashboardCode>;

/** A wallet that is logged in to the dashboard. */
export type Account = { readonly wallet: Wallet; readonly token: string; readonly accountId: string };

/** The site for which a login is valid: the dashboard refuses one for another site or chain. */
export type Site = { readonly origin: URL; readonly chainId: number };

/** Signs in with Ethereum. The first time makes the account and registers the wallet's public key. */
export async function logIn(dashboard: Dashboard, wallet: Wallet, site: Site): Promise<Account> {
  const { nonce } = expectOk('ask for a nonce', await dashboard.nonce({}));
  const message = loginMessage({ ...site, address: wallet.address, nonce, now: new Date() });
  const signature = signHash(hashMessage(message), keyBytes(wallet.privateKey));
  const { token, account } = expectOk('log in', await dashboard.login({ body: { message, signature } }));
  return { wallet, token, accountId: account.id };
}

/** The data of an answer that must be a good one; anything else ends the set-up with one sentence. */
export function expectOk<T>(step: string, answer: Answer<T, string>): T {
  switch (answer.kind) {
    case 'ok':
      return answer.data;
    case 'refused':
      throw new Error(`cannot ${step}: the dashboard refused with ${answer.status}, ${answer.msg}`);
    case 'failed':
      throw new Error(`cannot ${step}: the dashboard's answer was ${answer.why}`);
  }
}
