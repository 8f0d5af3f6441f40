import { chainNames } from '@countersign/protocol/dashboard/chains';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { localCaIn } from '../local-ca.ts';
import { type Answers, type Service, servicesIn } from './questions.ts';

export type RandomBytes = (count: number) => Buffer;

/** The text of a file of variables, with secrets of its own, and the address of the gateway's wallet where there is one. */
export function envFile(
  answers: Answers,
  random: RandomBytes,
): { readonly text: string; readonly wallet: string | null } {
  const here = servicesIn(answers.services);
  const key = random(32);
  const sections = [
    head,
    shared(answers),
    ...(here.includes('dashboard') ? [dashboard(answers, here, random)] : []),
    ...(here.includes('gateway') ? [gateway(answers, key, random)] : []),
    ...(needsEnclave(here) ? [enclave(answers)] : []),
    ...(here.includes('vault') ? [vault(answers)] : []),
    ...(here.includes('control-plane') ? [controlPlane(answers)] : []),
  ];
  return {
    text: `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`,
    wallet: here.includes('gateway') ? addressOfPrivateKey(key) : null,
  };
}

export const needsEnclave = (here: readonly Service[]): boolean =>
  here.includes('vault') || here.includes('control-plane');

type Lines = readonly string[];

/** Quotes a value that a shell would otherwise change; no value contains a single quote. */
const set = (name: string, value: string): string =>
  `${name}=${/^[\w.:/@,+=-]*$/.test(value) ? value : `'${value}'`}`;

/** Commented out where there is nothing to say. */
const maybe = (name: string, value: string): string => (value === '' ? `# ${name}=` : set(name, value));

/** Returns the port to listen on: that of the service's own address, or its usual one behind a proxy. */
function port(name: string, origin: string, speaks: 'http:' | 'https:' = 'http:'): Lines {
  const { hostname, port: text, protocol } = new URL(origin);
  const isHere = (hostname === 'localhost' || hostname === '127.0.0.1') && protocol === speaks;
  const number = text === '' ? (protocol === 'https:' ? '443' : '80') : text;
  return isHere ? [set(name, number)] : [`# Behind the proxy that answers at ${origin}`, `# ${name}=`];
}

const head: Lines = [
  '# Variables of Countersign, written by "countersign init". Start with: npx countersign --env FILE COMMAND',
  '# It has secrets: keep it out of version control, and readable by you alone.',
];

const shared = ({ databaseUrl, chainId, rpcUrl }: Answers): Lines => [
  '# --- All services',
  '# PostgreSQL 15 or newer; unset: each service runs a private one below .countersign',
  maybe('DATABASE_URL', databaseUrl),
  '# The chain that is paid on, and a JSON-RPC node of it',
  set('SETTLEMENT_CHAIN_ID', chainId),
  maybe('EVM_RPC_URL', rpcUrl),
];

function dashboard(answers: Answers, here: readonly Service[], random: RandomBytes): Lines {
  const { dashboardUrl, vaultUrl, controlPlaneUrl, operators } = answers;
  return [
    '# --- Dashboard: countersign dashboard',
    '# Every payment is refused until a sanctions list is imported: countersign compliance import --help',
    set('DASHBOARD_PUBLIC_URL', dashboardUrl),
    ...port('DASHBOARD_PORT', dashboardUrl),
    '# Wallets that decide about people, comma-separated',
    maybe('OPERATOR_ADDRESSES', operators),
    '# Seals identities and evidence: without it they cannot be read, so keep a copy elsewhere',
    set('EVIDENCE_KEY', random(32).toString('base64')),
    ...(here.includes('vault') ? ['# Whose pages the console shows', set('VAULT_URL', vaultUrl)] : []),
    ...(here.includes('control-plane')
      ? [set('CONTROL_PLANE_URL', controlPlaneUrl), set('CONTROL_PLANE_CA', tls.ca)]
      : []),
  ];
}

function gateway(answers: Answers, key: Buffer, random: RandomBytes): Lines {
  const { chainId, owner, paidServices, dashboardUrl, gatewayUrl } = answers;
  return [
    '# --- Gateway: countersign gateway --http',
    `# The wallet that pays, ${addressOfPrivateKey(key)}: whoever has the key spends what it holds, so keep little there`,
    set('EVM_PRIVATE_KEY', `0x${key.toString('hex')}`),
    '# Its owner, who signs mandates and approves; unset: the wallet itself',
    maybe('OWNER_ADDRESS', owner),
    '# Paid services, id=url',
    set('DOWNSTREAM_MCP_URLS', paidServices),
    set('PAYMENT_NETWORKS', `eip155:${chainId}`),
    set('COMPLIANCE_CHAIN', chainNames(chainId)[1] ?? chainId),
    '# The dashboard, and the key that the owner makes in its console; until then every payment is refused',
    set('COMPLIANCE_BASE_URL', dashboardUrl),
    '# COMPLIANCE_API_KEY=',
    '# What an agent shows to connect: name:token',
    set('GATEWAY_AUTH_TOKENS', `agent:${random(32).toString('hex')}`),
    ...port('GATEWAY_PORT', gatewayUrl),
  ];
}

const enclave = ({ auditOrigin }: Answers): Lines => [
  '# --- Enclave: countersign enclave, before vault and control plane',
  '# tdx, sev-snp, nitro, dstack or gramine; simulated protects from nobody who owns the machine',
  set('TEE_PROVIDER', 'simulated'),
  '# Name of the audit log, for ever',
  set('AUDIT_ORIGIN', auditOrigin),
  '# required: no browser session without a network of its own; best: as much as this machine has',
  set('SANDBOX_ISOLATION', 'required'),
];

const vault = ({ vaultUrl, dashboardUrl }: Answers): Lines => [
  '# --- Vault: countersign vault; users: countersign vault create-user',
  ...port('VAULT_PORT', vaultUrl),
  '# Pages that may call it: the console',
  set('VAULT_CONSOLE_ORIGIN', dashboardUrl),
];

const controlPlane = ({ controlPlaneUrl }: Answers): Lines => [
  '# --- Control plane: countersign control-plane; keys: countersign control-plane create-key',
  ...port('CONTROL_PORT', controlPlaneUrl, 'https:'),
  '# Made for this machine alone: put those of your own authority in their place',
  set('CONTROL_TLS_CERT', tls.server.cert),
  set('CONTROL_TLS_KEY', tls.server.key),
  set('CONTROL_TLS_CLIENT_CA', tls.ca),
];

const tls = localCaIn('.countersign');
