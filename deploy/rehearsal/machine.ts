import { chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Socket } from 'node:dgram';
import { type Keys, loadEvidenceKey, loadKeys } from '@countersign/local/keys';
import { localCaIn } from '@countersign/local/local-ca';
import { startSystem, type System } from '@countersign/local/system';
import type { ConnectionCard } from '@countersign/local/connection-card';
import { type OwnedProcesses, ownedProcesses } from '@countersign/service/owned-process';
import pg from 'pg';
import { serveNames } from './names.ts';

/** PostgreSQL has its own port then; the demo's other parts have those beside it. */
const portBase = 5424;

/** What the Compose file expects around it: a database, a chain with services that are paid, names, the balancer. */
export type Machine = {
  readonly keys: Keys;
  readonly card: ConnectionCard;
  readonly shopUrl: string;
  /** As `.env` beside the Compose file has it. */
  readonly env: Readonly<Record<string, string>>;
  readonly startBalancer: () => void;
  readonly stop: () => Promise<void>;
};

/** `addresses` of each service, for the balancer. */
export async function startMachine(
  dir: string,
  haproxyConfig: string,
  addresses: () => Readonly<Record<string, readonly string[]>>,
): Promise<Machine> {
  const only = ['database', 'chain', 'facilitator', 'sample services'] as const;
  const system = await startSystem({ dir, portBase, env: { PATH: process.env['PATH'] ?? '' }, only });
  await makeDatabase(system.card.databaseUrl ?? '');
  const processes = await ownedProcesses({ logDir: join(dir, 'logs') });
  const names = await serveNames(addresses);
  const keys = loadKeys(dir);
  return {
    keys,
    card: system.card,
    shopUrl: system.shopUrl,
    env: { ...environmentOf(keys, system.card), EVIDENCE_KEY: loadEvidenceKey(dir), TLS_DIR: tlsFiles(dir) },
    startBalancer: () => startBalancer(dir, haproxyConfig, processes),
    stop: () => stopAll(system, processes, names),
  };
}

async function stopAll(system: System, processes: OwnedProcesses, names: Socket): Promise<void> {
  await processes.stopAll();
  names.close();
  await system.stop();
}

/** As the image of PostgreSQL makes it at its first start; the demo's cluster has the user of that name. */
async function makeDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query(`select from pg_database where datname = 'countersign'`);
    if (rowCount === 0) await client.query('create database countersign');
  } finally {
    await client.end();
  }
}

/** The certificates under the names that the Compose file asks for, and readable for those who read them. */
function tlsFiles(dir: string): string {
  const { ca, server } = localCaIn(dir);
  const folder = join(dir, 'compose-tls');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'balancer.pem'), readFileSync(server.cert, 'utf8') + readFileSync(server.key, 'utf8'));
  const files = { 'control.pem': server.cert, 'control-key.pem': server.key, 'control-client-ca.pem': ca };
  for (const [name, from] of Object.entries(files)) {
    copyFileSync(from, join(folder, name));
    chownSync(join(folder, name), 10_001, 10_001);
  }
  return folder;
}

const environmentOf = (keys: Keys, card: ConnectionCard): Readonly<Record<string, string>> => ({
  POSTGRES_PASSWORD: new URL(card.databaseUrl ?? '').password,
  DASHBOARD_PUBLIC_URL: 'https://127.0.0.1:4021',
  VAULT_PUBLIC_URL: 'https://127.0.0.1:4022',
  OPERATOR_ADDRESSES: keys.operator.address,
  EVM_RPC_URL: card.rpcUrl ?? '',
  SETTLEMENT_CHAIN_ID: String(card.chainId),
  COMPLIANCE_CHAIN: 'base-sepolia',
  GATEWAY_PRIVATE_KEY: keys.owner.privateKey,
  GATEWAY_AUTH_TOKENS: `demo-agent:${keys.gatewayToken}`,
  DOWNSTREAM_MCP_URLS: card.services.map(({ serviceId, url }) => `${serviceId}=${url}`).join(','),
  TEE_PROVIDER: 'simulated',
  ENCLAVE_ALLOW_SIMULATED_TEE: 'yes',
  AUDIT_ORIGIN: 'rehearsal.example/audit',
  AUDIT_ANCHOR_ADDRESS: card.anchorAddress ?? '',
  ANCHOR_PRIVATE_KEY: keys.operator.privateKey,
});

/** Everything has one loopback here, so the balancer has one address of it, not all. */
function startBalancer(dir: string, config: string, processes: OwnedProcesses): void {
  const file = join(dir, 'haproxy.cfg');
  const pem = join(dir, 'compose-tls/balancer.pem');
  const changed = config.replaceAll('bind :', 'bind 127.0.0.1:').replaceAll('/run/secrets/balancer_tls', pem);
  writeFileSync(file, changed);
  processes.spawn({ name: 'balancer', command: 'haproxy', args: ['-db', '-f', file] });
}
