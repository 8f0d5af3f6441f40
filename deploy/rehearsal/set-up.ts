import { keepApiKeys, keepControlPlaneKeys, loadApiKeys, loadControlPlaneKeys, loadVaultUser, type Login } from '@countersign/local/keys';
import { localCaIn } from '@countersign/local/local-ca';
import { onboard, type Onboarded } from '@countersign/local/onboarding';
import type { StoryCard } from '@countersign/local/story/story';
import type { Deployment } from './deployment.ts';
import type { Machine } from './machine.ts';

type ControlPlaneKeys = { readonly admin: string; readonly service: string; readonly approver: string };
export type Made = Onboarded & {
  readonly vaultUser: Login;
  readonly controlPlaneKeys: ControlPlaneKeys;
  readonly tls: ReturnType<typeof localCaIn>;
};

/** Before the first start: a dashboard without a list is not ready. */
export const importList = (deployment: Deployment): Promise<string> =>
  deployment.command('dashboard', ['compliance', 'import', '--demo', '/app/apps/dashboard/demo/sanctions-demo.xml']);

/** What an operator does once after the first start, by the commands of the image and by the console's API. */
export async function setUp(dir: string, { card, keys, env }: Machine, deployment: Deployment): Promise<Made> {
  const site = { origin: new URL(env['DASHBOARD_PUBLIC_URL'] ?? ''), chainId: card.chainId };
  const party = await onboard(site, keys, loadApiKeys(dir));
  const operator = party.operatorApiKey ?? (await deployment.command('dashboard', ['dashboard', 'create-operator-key', 'rehearsal']));
  keepApiKeys(dir, { owner: party.owner.apiKey, merchant: party.merchant.apiKey, operator });
  const vaultUser = loadVaultUser(dir);
  await deployment.command('vault', ['vault', 'create-user', vaultUser.username, '--admin'], `${vaultUser.password}\n`);
  const controlPlaneKeys = loadControlPlaneKeys(dir) ?? (await createKeys(dir, deployment));
  return { ...party, operatorApiKey: operator, vaultUser, controlPlaneKeys, tls: localCaIn(dir) };
}

async function createKeys(dir: string, deployment: Deployment): Promise<ControlPlaneKeys> {
  const create = (role: string) => deployment.command('control-plane', ['control-plane', 'create-key', '--role', role]);
  const kept = { admin: await create('admin'), service: await create('service'), approver: await create('approver') };
  keepControlPlaneKeys(dir, kept);
  return kept;
}

/** What the story needs to know: the balancer's addresses, and who has which key. */
export function cardOf({ card, env }: Machine, made: Made): Omit<StoryCard, 'shop'> {
  return {
    ...card,
    rpcUrl: card.rpcUrl ?? '',
    gatewayUrl: 'https://127.0.0.1:4020/mcp',
    dashboardUrl: env['DASHBOARD_PUBLIC_URL'] ?? '',
    vaultUrl: env['VAULT_PUBLIC_URL'] ?? '',
    controlPlaneUrl: 'https://127.0.0.1:4023',
    controlPlaneCa: made.tls.ca,
    controlPlaneClientCert: made.tls.client,
    controlPlaneKeys: made.controlPlaneKeys,
    owner: { ...card.owner, ...made.owner },
    merchant: { ...card.merchant, ...made.merchant },
    vaultUser: made.vaultUser,
  };
}
