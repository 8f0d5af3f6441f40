import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Env } from '@countersign/service/config';
import { partsIn } from '@countersign/service/heavy-part';
import {
  type Keys,
  loadApproverWallet,
  loadEvidenceKey,
  type Login,
  loadWebhookSecret,
  type Wallet,
} from './keys.ts';
import type { Whereabouts } from './door/whereabouts.ts';
import { localCaIn } from './local-ca.ts';
import type { PortPlan } from './port-plan.ts';
import { signInKeysIn } from './sign-in-keys.ts';

export const chainId = 84_532;

const http = (port: number, path = ''): string => `http://127.0.0.1:${port}${path}`;

/** Returns the address of each part. */
export const urlsOf = (ports: PortPlan) => ({
  gateway: http(ports.gateway, '/mcp'),
  dashboard: http(ports.dashboard),
  vault: http(ports.vault),
  controlPlane: `https://127.0.0.1:${ports.controlPlane}`,
  facilitator: http(ports.facilitator),
  rpc: http(ports.chain),
  shop: http(ports.shop),
  services: [
    { serviceId: 'quotes', url: http(ports.quotes, '/mcp') },
    { serviceId: 'archive', url: http(ports.archive, '/sse') },
  ],
});

export type Wiring = {
  readonly dir: string;
  /** The user's own. */
  readonly env: Env;
  readonly ports: PortPlan;
  readonly keys: Keys;
  readonly databaseUrl: string | null;
  readonly anchorAddress: string | null;
  /** The owner's API key. */
  readonly ownerKey: string | null;
  readonly shopCustomer: Login;
  readonly hasControlPlane: boolean;
  /** The address of the demo's door, for browsers; null if there is none. */
  readonly door: Whereabouts | null;
};

/**
 * The environment of each service: what the parts need to find each other comes last and always holds; before it
 * whatever the user set; first our defaults for a local system. The user's lists are added to ours.
 */
export function serviceEnvironments(about: Wiring) {
  const { dir, env, ports, keys, shopCustomer } = about;
  const urls = urlsOf(ports);
  const withUsers = withTheUsers(env);

  return {
    facilitator: {
      ...env,
      FACILITATOR_PRIVATE_KEY: keys.facilitator.privateKey,
      FACILITATOR_CHAIN_ID: String(chainId),
      FACILITATOR_PORT: String(ports.facilitator),
      EVM_RPC_URL: urls.rpc,
    },
    sampleServices: {
      ...env,
      MERCHANT_PRIVATE_KEY: keys.merchant.privateKey,
      FACILITATOR_URL: urls.facilitator,
      SAMPLE_NETWORK: `eip155:${chainId}`,
      QUOTES_PORT: String(ports.quotes),
      ARCHIVE_PORT: String(ports.archive),
      SHOP_PORT: String(ports.shop),
      SHOP_USERNAME: shopCustomer.username,
      SHOP_PASSWORD: shopCustomer.password,
    },
    dashboard: {
      RATE_LIMIT_LOGINS: '600',
      RATE_LIMIT_REQUESTS: '60000',
      EVIDENCE_KEY: loadEvidenceKey(dir),
      ...elsewhereOf(about),
      ...env,
      ...originsOf(about),
      DATABASE_URL: about.databaseUrl ?? '',
      DASHBOARD_PORT: String(ports.dashboard),
      SETTLEMENT_CHAIN_ID: String(chainId),
      SETTLEMENT_CHAIN_IS_LOCAL: '1',
      EVM_RPC_URL: urls.rpc,
      OPERATOR_ADDRESSES: withUsers('OPERATOR_ADDRESSES', keys.operator.address),
    },
    gateway: {
      COMPLIANCE_CHAIN: 'base-sepolia',
      PAYMENT_NETWORKS: `eip155:${chainId}`,
      ...env,
      EVM_PRIVATE_KEY: keys.owner.privateKey,
      EVM_RPC_URL: urls.rpc,
      DOWNSTREAM_MCP_URLS: withUsers(
        'DOWNSTREAM_MCP_URLS',
        ...urls.services.map(({ serviceId, url }) => `${serviceId}=${url}`),
      ),
      COMPLIANCE_BASE_URL: urls.dashboard,
      COMPLIANCE_API_KEY: about.ownerKey ?? '',
      GATEWAY_AUTH_TOKENS: withUsers('GATEWAY_AUTH_TOKENS', `demo-agent:${keys.gatewayToken}`),
      GATEWAY_STATE_DIR: join(dir, 'gateway'),
      GATEWAY_PORT: String(ports.gateway),
    },
    ...vaultEnvironments(about),
  } satisfies Record<string, Env>;
}

/** The other parts of the console. Whoever comes through the door is signed in there, too. */
const elsewhereOf = ({ dir, ports, door, hasControlPlane }: Wiring): Env => ({
  VAULT_URL: urlsOf(ports).vault,
  ...(door !== null && { SIGN_IN_KEY: signInKeysIn(dir).privateKey }),
  ...(hasControlPlane && {
    CONTROL_PLANE_URL: urlsOf(ports).controlPlane,
    CONTROL_PLANE_CA: localCaIn(dir).ca,
  }),
});

/** People are sent where they can sign. What everybody may ask the dashboard is the address without the name. */
const originsOf = ({ door, env }: Wiring) =>
  door === null
    ? {}
    : {
        DASHBOARD_PUBLIC_URL: door.porch,
        DASHBOARD_OTHER_ORIGINS: withTheUsers(env)('DASHBOARD_OTHER_ORIGINS', door.origin),
      };

/** The enclave, and the vault and the control plane, which speak with it over a socket. */
function vaultEnvironments({ dir, env, ports, keys, databaseUrl, anchorAddress, door }: Wiring) {
  const urls = urlsOf(ports);
  const shared = {
    ENCLAVE_SOCKET: socketIn(dir),
    EVM_RPC_URL: urls.rpc,
    AUDIT_ANCHOR_ADDRESS: anchorAddress ?? '',
  };
  const tls = localCaIn(dir);
  const pages = [
    urls.dashboard,
    `http://localhost:${ports.dashboard}`,
    ...(door === null ? [] : [door.origin]),
  ];
  const withUsers = withTheUsers(env);
  /** Whoever comes through the door is signed in everywhere: people of these accounts, each by their roles. */
  const takes = (...accounts: readonly Wallet[]): Env =>
    door === null
      ? {}
      : {
          SIGN_IN_PUBLIC_KEY: signInKeysIn(dir).publicKey,
          SIGN_IN_ACCOUNTS: accounts.map(({ address }) => `${address}=default`).join(','),
        };
  return {
    enclave: {
      // So that it works on any machine; what is weaker there is told.
      SANDBOX_ISOLATION: 'best',
      ...env,
      ...shared,
      ...fetched(dir, env),
      ENCLAVE_DATA_DIR: join(dir, 'enclave'),
      SANDBOX_ALLOW_PRIVATE: withUsers('SANDBOX_ALLOW_PRIVATE', new URL(urls.shop).hostname),
    },
    vault: {
      RATE_LIMIT_REQUESTS: '60000',
      ...takes(keys.owner),
      ...env,
      ...shared,
      DATABASE_URL: databaseUrl ?? '',
      VAULT_PORT: String(ports.vault),
      VAULT_CONSOLE_ORIGIN: withUsers('VAULT_CONSOLE_ORIGIN', ...pages),
      ANCHOR_PRIVATE_KEY: keys.operator.privateKey,
    },
    controlPlane: {
      RATE_LIMIT_REQUESTS: '60000',
      WEBHOOK_ALLOW_PRIVATE: '1',
      CONNECTOR_ALLOW_PRIVATE: '1',
      ...takes(keys.owner, loadApproverWallet(dir)),
      ...env,
      ...shared,
      WEBHOOK_SECRET: loadWebhookSecret(dir),
      DATABASE_URL: databaseUrl ?? '',
      CONTROL_PORT: String(ports.controlPlane),
      CONTROL_TLS_CERT: tls.server.cert,
      CONTROL_TLS_KEY: tls.server.key,
      CONTROL_TLS_CLIENT_CA: tls.ca,
    },
  };
}

/** Returns the variables by which Node finds a Chromium that `--fetch` downloaded. */
const fetched = (dir: string, env: Env): Env =>
  existsSync(partsIn(dir))
    ? { NODE_PATH: [join(partsIn(dir), 'node_modules'), env['NODE_PATH']].filter(Boolean).join(delimiter) }
    : {};

/** A list of ours, and what the user has in it. */
export const withTheUsers =
  (env: Env) =>
  (name: string, ...ours: readonly string[]): string =>
    [...ours, ...(env[name]?.trim() ? [env[name].trim()] : [])].join(',');

/** Longest path of a Unix socket that every system takes, in bytes. */
const maxSocketPath = 103;

/** The enclave's socket: in the data directory, unless that lies too deep for a socket. */
function socketIn(dir: string): string {
  const path = join(dir, 'enclave.sock');
  if (Buffer.byteLength(path) <= maxSocketPath) return path;
  return join(tmpdir(), `countersign-${hash('sha256', dir).slice(0, 16)}`, 'enclave.sock');
}
