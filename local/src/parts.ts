import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { usdcAddress } from '@countersign/contracts/addresses';
import { parseAddress } from '@countersign/protocol/address';
import type { Env } from '@countersign/service/config';
import { managedPostgres } from '@countersign/service/managed-postgres';
import type { OwnedProcesses } from '@countersign/service/owned-process';
import { deployAnchor } from './anchor-contract.ts';
import { startChain } from './chain.ts';
import { balanceOf, mint } from './chain-accounts.ts';
import type { ConnectionCard } from './connection-card.ts';
import {
  type ApiKeys,
  keepApiKeys,
  keepControlPlaneKeys,
  type Keys,
  loadApiKeys,
  loadControlPlaneKeys,
  loadShopCustomer,
  loadVaultUser,
  loadWebhookSecret,
} from './keys.ts';
import type { Whereabouts } from './door/whereabouts.ts';
import { makeLocalCa } from './local-ca.ts';
import { onboard } from './onboarding.ts';
import type { PortName, PortPlan } from './port-plan.ts';
import { chainId, serviceEnvironments, urlsOf, withTheUsers } from './service-environments.ts';
import { get, runCommand, startService } from './service-process.ts';

/** The input of every part. Parts add their addresses to `card` as they start, and later ones read them. */
export type Setting = {
  readonly dir: string;
  readonly env: Env;
  readonly ports: PortPlan;
  readonly keys: Keys;
  readonly processes: OwnedProcesses;
  readonly card: Readonly<ConnectionCard>;
  /** The address of the demo's door, for browsers; null if there is none. */
  readonly door: Whereabouts | null;
  /** The parts that are started. */
  readonly wanted: readonly Part[];
};

type PartPlan = {
  /** Earlier in the table than the part itself. */
  readonly needs: readonly Part[];
  readonly ports: readonly PortName[];
  /** Resolves when the part answers, with what it adds to the card. */
  readonly start: (setting: Setting) => Promise<Partial<ConnectionCard>>;
};

export type Part =
  | 'database'
  | 'chain'
  | 'facilitator'
  | 'sample services'
  | 'dashboard'
  | 'accounts'
  | 'enclave'
  | 'vault'
  | 'vault user'
  | 'control plane'
  | 'gateway';

/** The whole system: each part starts as soon as the ones that it needs are up. */
export const parts: Readonly<Record<Part, PartPlan>> = {
  database: { needs: [], ports: ['database'], start: startDatabase },
  chain: { needs: [], ports: ['chain'], start: startFundedChain },
  facilitator: { needs: ['chain'], ports: ['facilitator'], start: startFacilitator },
  'sample services': {
    needs: ['facilitator'],
    ports: ['quotes', 'archive', 'shop'],
    start: startSampleServices,
  },
  dashboard: { needs: ['database'], ports: ['dashboard'], start: startDashboard },
  accounts: { needs: ['dashboard'], ports: [], start: setUpAccounts },
  enclave: { needs: ['chain'], ports: [], start: startEnclave },
  vault: { needs: ['database', 'enclave'], ports: ['vault'], start: startVault },
  'vault user': { needs: ['vault'], ports: [], start: setUpVaultUser },
  'control plane': { needs: ['database', 'enclave'], ports: ['controlPlane'], start: startControlPlane },
  gateway: { needs: ['accounts', 'sample services'], ports: ['gateway'], start: startGateway },
};

/** The card before anything runs. */
export function blankCard({ owner, merchant, operator, gatewayToken }: Keys): ConnectionCard {
  const tokenAddress = parseAddress(usdcAddress);
  if (tokenAddress === null) throw new Error('the token address is none');
  return {
    gatewayUrl: null,
    gatewayToken,
    dashboardUrl: null,
    vaultUrl: null,
    controlPlaneUrl: null,
    controlPlaneCa: null,
    facilitatorUrl: null,
    rpcUrl: null,
    chainId,
    tokenAddress,
    anchorAddress: null,
    services: [],
    owner: { ...owner, accountId: null, apiKey: null },
    merchant: { ...merchant, apiKey: null },
    operatorApiKey: null,
    operator,
    vaultUser: null,
    controlPlaneKeys: null,
    controlPlaneClientCert: null,
    databaseUrl: null,
    webhookSecret: null,
  };
}

async function startDatabase({ dir, env, ports, processes }: Setting) {
  const given = env['DATABASE_URL']?.trim();
  if (given !== undefined && given !== '') return { databaseUrl: given };
  const { url } = await managedPostgres({ dir, port: ports.database, processes });
  return { databaseUrl: url };
}

const pocketMoney = 1000n * 10n ** 6n;

async function startFundedChain({ dir, ports, processes, keys }: Setting) {
  const funded = [keys.facilitator, keys.owner, keys.merchant, keys.operator].map(({ address }) => address);
  const { rpcUrl } = await startChain({ dir, port: ports.chain, processes, funded });
  if ((await balanceOf(rpcUrl, keys.owner.address)) < pocketMoney / 2n) {
    await mint(rpcUrl, keys.owner.address, pocketMoney);
  }
  return { rpcUrl, anchorAddress: await deployAnchor(rpcUrl, keys.operator.address) };
}

async function startFacilitator(setting: Setting) {
  const env = environmentsOf(setting).facilitator;
  const url = urlsOf(setting.ports).facilitator;
  await startService(setting.processes, { name: 'facilitator', argv: ['facilitator'], env }, `${url}/health`);
  return { facilitatorUrl: url };
}

async function startSampleServices(setting: Setting) {
  const env = environmentsOf(setting).sampleServices;
  const { services } = urlsOf(setting.ports);
  const health = new URL('/health', services[0]?.url).href;
  await startService(setting.processes, { name: 'sample-services', argv: ['sample-services'], env }, health);
  return { services };
}

async function startDashboard(setting: Setting) {
  // It reads the authority of the control plane's certificate, which may come up later.
  if (hasControlPlane(setting)) makeLocalCa(setting.dir, new Date());
  const env = environmentsOf(setting).dashboard;
  const url = urlsOf(setting.ports).dashboard;
  await startService(setting.processes, { name: 'dashboard', argv: ['dashboard'], env }, `${url}/health`);
  return { dashboardUrl: url };
}

async function setUpAccounts(setting: Setting) {
  const { dir, keys, card } = setting;
  const origin = new URL(urlsOf(setting.ports).dashboard);
  const given = loadApiKeys(dir);
  const [party] = await Promise.all([onboard({ origin, chainId }, keys, given), importDemoList(setting)]);
  const operator = party.operatorApiKey ?? (await createOperatorKey(setting));
  const apiKeys: ApiKeys = { owner: party.owner.apiKey, merchant: party.merchant.apiKey, operator };
  keepApiKeys(dir, apiKeys);
  return {
    owner: { ...card.owner, ...party.owner },
    merchant: { ...card.merchant, ...party.merchant },
    operatorApiKey: operator,
  };
}

const demoList = fileURLToPath(new URL('../../apps/dashboard/demo/sanctions-demo.xml', import.meta.url));

/** At every start, because a list that is older than a week is not trusted. It lies beside an official one. */
async function importDemoList(setting: Setting): Promise<void> {
  const argv = ['compliance', 'import', '--demo', demoList];
  await runCommand(setting.processes, {
    name: 'compliance-import',
    argv,
    env: environmentsOf(setting).dashboard,
  });
}

async function createOperatorKey(setting: Setting): Promise<string> {
  const argv = ['dashboard', 'create-operator-key', 'npm start'];
  return runCommand(setting.processes, {
    name: 'operator-key',
    argv,
    env: environmentsOf(setting).dashboard,
  });
}

async function startEnclave(setting: Setting) {
  const env = environmentsOf(setting).enclave;
  await startService(setting.processes, { name: 'enclave', argv: ['enclave'], env }, null);
  return {};
}

async function startVault(setting: Setting) {
  // Whatever others tried, whoever has the password that the first start made gets in: a later start above all.
  const digest = hash('sha256', loadVaultUser(setting.dir).password);
  const randomPasswords = withTheUsers(setting.env)('VAULT_RANDOM_PASSWORDS', digest);
  const env = { ...environmentsOf(setting).vault, VAULT_RANDOM_PASSWORDS: randomPasswords };
  const url = urlsOf(setting.ports).vault;
  await startService(setting.processes, { name: 'vault', argv: ['vault'], env }, `${url}/ready`);
  return { vaultUrl: url };
}

/** A later start finds the user, and makes none. */
async function setUpVaultUser(setting: Setting) {
  const vaultUser = loadVaultUser(setting.dir);
  const login = await fetch(`${urlsOf(setting.ports).vault}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(vaultUser),
  });
  if (!login.ok) {
    await runCommand(setting.processes, {
      name: 'vault-user',
      argv: ['vault', 'create-user', vaultUser.username, '--admin'],
      env: environmentsOf(setting).vault,
      input: `${vaultUser.password}\n`,
    });
  }
  return { vaultUser };
}

async function startControlPlane(setting: Setting) {
  const { dir, processes } = setting;
  const tls = makeLocalCa(dir, new Date());
  const env = environmentsOf(setting).controlPlane;
  await startService(processes, { name: 'control-plane', argv: ['control-plane'], env }, null);
  const controlPlaneKeys = loadControlPlaneKeys(dir) ?? (await createControlPlaneKeys(setting));
  return {
    controlPlaneUrl: urlsOf(setting.ports).controlPlane,
    controlPlaneCa: tls.ca,
    controlPlaneClientCert: tls.client,
    controlPlaneKeys,
    webhookSecret: loadWebhookSecret(dir),
  };
}

async function createControlPlaneKeys(setting: Setting) {
  const env = environmentsOf(setting).controlPlane;
  const create = (role: string) =>
    runCommand(setting.processes, {
      name: `control-plane-${role}`,
      argv: ['control-plane', 'create-key', '--role', role],
      env,
    });
  const [admin, service, approver] = await Promise.all(['admin', 'service', 'approver'].map(create));
  const kept = { admin: admin ?? '', service: service ?? '', approver: approver ?? '' };
  keepControlPlaneKeys(setting.dir, kept);
  return kept;
}

async function startGateway(setting: Setting) {
  const argv = ['gateway', '--http'];
  const env = environmentsOf(setting).gateway;
  const url = urlsOf(setting.ports).gateway;
  const at = (path: string) => new URL(path, url).href;
  await startService(setting.processes, { name: 'gateway', argv, env }, at('/health'));

  // It answers at once and connects to its services in the background; the system is up when it has.
  const authorization = `Bearer ${setting.keys.gatewayToken}`;
  const deadline = Date.now() + connectDeadlineMs;
  for (;;) {
    const answer = await get(at('/ready'), { authorization });
    if (answer?.status === 200) return { gatewayUrl: url };
    if (Date.now() > deadline)
      throw new Error(`the gateway is not ready: ${answer?.text ?? 'it does not answer'}`);
    await sleep(25);
  }
}

const connectDeadlineMs = 20_000;

const hasControlPlane = ({ wanted }: Setting): boolean => wanted.includes('control plane');

function environmentsOf(setting: Setting) {
  const { dir, env, ports, keys, card, door } = setting;
  return serviceEnvironments({
    door,
    dir,
    env,
    ports,
    keys,
    databaseUrl: card.databaseUrl,
    anchorAddress: card.anchorAddress,
    ownerKey: card.owner.apiKey,
    shopCustomer: loadShopCustomer(dir),
    hasControlPlane: hasControlPlane(setting),
  });
}
