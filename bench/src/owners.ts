import { mint } from '@countersign/local/chain-accounts';
import type { ConnectionCard } from '@countersign/local/connection-card';
import {
  type Account,
  type Dashboard,
  expectOk,
  logIn,
  type Site,
} from '@countersign/local/dashboard-account';
import { newPrivateKey } from '@countersign/local/market';
import { approve, signMandate } from '@countersign/local/onboarding';
import { keyBytes, type PrivateKey } from '@countersign/local/private-key';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { createClient } from '@countersign/service/client';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';

/** Somebody who lets a gateway pay: a wallet with USDC, and what the dashboard knows of it. */
export type Owner = { readonly privateKey: PrivateKey; readonly apiKey: string };

const usdc = 100_000_000n;
const mandate = { title: 'Benchmark', perTxLimit: '1', validDays: 1 } as const;

/** Makes owners, each with an account, an approved KYC, a signed mandate and money of their own. */
export async function newOwners(card: ConnectionCard, count: number): Promise<readonly Owner[]> {
  const site = { origin: new URL(card.dashboardUrl ?? ''), chainId: card.chainId };
  const dashboard = createClient(dashboardRoutes, dashboardDialect, {
    baseUrl: site.origin,
    timeoutMs: 20_000,
  });
  const operator = await logIn(dashboard, card.operator, site);
  const owners: Owner[] = [];
  for (let n = 0; n < count; n++) {
    const { privateKey, apiKey, wallet } = await newOwner(dashboard, operator, site);
    await mint(card.rpcUrl ?? '', wallet, usdc);
    owners.push({ privateKey, apiKey });
  }
  await dashboard.close();
  return owners;
}

/** What the dashboard knows of somebody new: an approved person with a signed mandate and a key. */
export async function newOwner(dashboard: Dashboard, operator: Account, site: Site, totalBudget = '100') {
  const privateKey = newPrivateKey();
  const wallet = { privateKey, address: addressOfPrivateKey(keyBytes(privateKey)) };
  const account = await logIn(dashboard, wallet, site);
  const { token } = account;
  await approve(dashboard, account, operator, 'Benchmark Owner');
  const key = expectOk('make a key', await dashboard.createKey({ token, body: { name: 'bench' } }));
  const drafted = await dashboard.createMandate({ token, body: { ...mandate, totalBudget } });
  const { mandate: draft } = expectOk('draft a mandate', drafted);
  const signature = signMandate(draft, account, site.chainId);
  expectOk('sign it', await dashboard.signMandate({ token, body: { mandateId: draft.id, signature } }));
  return { privateKey, apiKey: key.apiKey, wallet: wallet.address, token, mandateId: draft.id };
}
