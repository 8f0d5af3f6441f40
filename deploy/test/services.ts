import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  readConfig as readControlPlane,
  variables as controlPlaneVariables,
} from '../../apps/control-plane/src/config.ts';
import {
  readConfig as readDashboard,
  variables as dashboardVariables,
} from '../../apps/dashboard/src/config.ts';
import {
  readConfig as readEnclave,
  variables as enclaveVariables,
} from '../../apps/enclave/src/launcher/config.ts';
import { readGatewayConfig } from '../../apps/gateway/src/config.ts';
import { allVariables as gatewayVariables } from '../../apps/gateway/src/help.ts';
import { readConfig as readVault, variables as vaultVariables } from '../../apps/vault/src/config.ts';

type Env = Readonly<Record<string, string>>;

type Deployed = {
  /** Every variable that it knows, by its own help. */
  readonly variables: ReadonlySet<string>;
  /** What is wrong with its environment, by its own word. */
  readonly errors: (env: Env) => readonly string[];
  /** Names of the variables with its address and port. */
  readonly listens: readonly [host: string, port: string] | null;
};

const namesOf = (variables: readonly (readonly [string, string])[]) =>
  new Set(variables.map(([name]) => name));

const errorsOf = (read: { ok: true } | { ok: false; error: readonly string[] }): readonly string[] =>
  read.ok ? [] : read.error;

/** The services that are deployed, by their command. */
export const services: Readonly<Record<string, Deployed>> = {
  dashboard: {
    variables: namesOf(dashboardVariables),
    errors: (env) => errorsOf(readDashboard(env)),
    listens: ['DASHBOARD_HOST', 'DASHBOARD_PORT'],
  },
  gateway: {
    variables: new Set(gatewayVariables.match(/\b[A-Z][A-Z0-9]+(_[A-Z0-9]+)+\b/g) ?? []),
    errors: (env) => errorsOf(readGatewayConfig(env, 'http')),
    listens: ['GATEWAY_HOST', 'GATEWAY_PORT'],
  },
  enclave: {
    variables: namesOf(enclaveVariables),
    errors: (env) => errorsOf(readEnclave(env)),
    listens: null,
  },
  vault: {
    variables: namesOf(vaultVariables),
    errors: (env) => errorsOf(readVault(env)),
    listens: ['VAULT_HOST', 'VAULT_PORT'],
  },
  'control-plane': {
    variables: namesOf(controlPlaneVariables),
    errors: (env) => errorsOf(readControlPlane(withFiles(env))),
    listens: ['CONTROL_HOST', 'CONTROL_PORT'],
  },
};

/** The files that it names lie in its container: here another one stands for them. */
function withFiles(env: Env): Env {
  const path = join(mkdtempSync(join(tmpdir(), 'deploy-')), 'any.pem');
  writeFileSync(path, '-----BEGIN CERTIFICATE-----\n');
  const isFile = (name: string) => name.startsWith('CONTROL_TLS_');
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, isFile(name) ? path : value]));
}

const key = `0x${'1'.repeat(64)}`;

/** A value of the right form for whatever an operator has to fill in. */
export const filledIn: Env = {
  DATABASE_URL: 'postgres://countersign:0123@postgres:5432/countersign',
  GATEWAY_DATABASE_URL: 'postgres://countersign:0123@postgres:5432/countersign',
  OPERATOR_ADDRESSES: `0x${'2'.repeat(40)}`,
  AUDIT_ANCHOR_ADDRESS: `0x${'2'.repeat(40)}`,
  ANCHOR_PRIVATE_KEY: key,
  EVM_PRIVATE_KEY: key,
  GATEWAY_PRIVATE_KEY: key,
  EVM_RPC_URL: 'https://node.example',
  GATEWAY_AUTH_TOKENS: 'agent:secret',
  COMPLIANCE_API_KEY: 'csk_1',
  EVIDENCE_KEY: Buffer.alloc(32, 7).toString('base64'),
  POSTGRES_PASSWORD: '0123456789abcdef',
  DASHBOARD_PUBLIC_URL: 'https://countersign.example',
  VAULT_PUBLIC_URL: 'https://vault.example',
  DOWNSTREAM_MCP_URLS: 'quotes=https://quotes.example/mcp',
  TEE_PROVIDER: 'sev-snp',
  AUDIT_ORIGIN: 'countersign.example/audit',
  TLS_DIR: '/etc/countersign',
};

/** The exit code of `deploy/probe.js` for an address. */
export async function probe(address: string): Promise<unknown> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../probe.js'), address]);
  const [code] = await once(child, 'exit');
  return code;
}
