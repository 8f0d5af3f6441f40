import { mint } from '@countersign/local/chain-accounts';
import type { ConnectionCard } from '@countersign/local/connection-card';
import { expectOk, logIn } from '@countersign/local/dashboard-account';
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
const mandate = { title: 'Benchmark', perTxLimit: '1', totalBudget: '100', validDays: 1 } as const;

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
    const privateKey = newPrivateKey();
    const wallet = { privateKey, address: addressOfPrivateKey(keyBytes(privateKey)) };
    const account = await logIn(dashboard, wallet, site);
    const { token } = account;
    await approve(dashboard, account, operator, 'Benchmark Owner');
    await mint(card.rpcUrl ?? '', wallet.address, usdc);
    const key = expectOk('make a key', await dashboard.createKey({ token, body: { name: 'bench' } }));
    const drafted = await dashboard.createMandate({ token, body: mandate });
    const { mandate: draft } = expectOk('draft a mandate', drafted);
    const signature = signMandate(draft, account, card.chainId);
    expectOk('sign it', await dashboard.signMandate({ token, body: { mandateId: draft.id, signature } }));
    owners.push({ privateKey, apiKey: key.apiKey });
  }
  await dashboard.close();
  return owners;
}
