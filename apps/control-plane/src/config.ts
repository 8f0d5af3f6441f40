import type { AnchorPlace } from '@countersign/audit-log/anchor/ethereum';
import { type Address, parseAddress } from '@countersign/protocol/address';
import { fail, ok, type Result } from '@countersign/protocol/result';
import {
  type Env,
  exportsTraces,
  integer,
  oneOf,
  pemFile,
  text,
  url,
  Variables,
} from '@countersign/service/config';
import { readStorage, type StorageConfig } from '@countersign/service/database';
import { readSignIn, type SignInConfig, signInVariables } from '@countersign/service/sign-in-config';

export type ControlPlaneConfig = {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly storage: StorageConfig;
  /** The enclave's Unix socket. */
  readonly socket: string;
  /** PEM. */
  readonly tls: { readonly cert: string; readonly key: string; readonly clientCa: string };
  readonly webhooks: {
    /** Secrets shared by all webhooks, newest first; empty: each has its own. */
    readonly secrets: readonly string[];
    readonly allowPrivate: boolean;
  };
  readonly connectors: { readonly allowPrivate: boolean };
  /** The dashboard whose people need no key here; null: none. */
  readonly signIn: SignInConfig | null;
  /** Executions that this process runs at a time. */
  readonly concurrency: number;
  /** The chain and contract of the audit log's roots; null if proof bundles name none. */
  readonly anchor: AnchorPlace | null;
  /** Requests a minute from one address. */
  readonly requests: number;
  readonly exportsTraces: boolean;
  readonly logLevel: string;
};

/** Every variable of `countersign control-plane`, for its help. */
export const variables: readonly (readonly [name: string, meaning: string])[] = [
  ['CONTROL_TLS_CERT', 'file with the certificate chain, PEM'],
  ['CONTROL_TLS_KEY', 'file with its private key, PEM'],
  ['CONTROL_TLS_CLIENT_CA', 'file with the CA of admins’ client certificates, PEM'],
  ['DATABASE_URL', 'PostgreSQL 15 or newer; unset: a private one in CONTROL_DATA_DIR'],
  ['CONTROL_DATA_DIR', 'where the private database lives (default .countersign/control-plane)'],
  ['CONTROL_HOST', 'address to listen on (default 127.0.0.1)'],
  ['CONTROL_PORT', 'port to listen on (default 4023)'],
  ['ENCLAVE_SOCKET', 'Unix socket of the enclave (default .countersign/enclave.sock)'],
  ...signInVariables,
  [
    'WEBHOOK_SECRET',
    'signs all webhook messages, whsec_…; two separated by a space while receivers switch to the first (default: each webhook has its own, created by the enclave)',
  ],
  ['WEBHOOK_ALLOW_PRIVATE', '1: webhooks may use private addresses and http'],
  ['AUDIT_ANCHOR_ADDRESS', 'contract with the audit log’s roots, which proof bundles name (default none)'],
  ['EVM_RPC_URL', 'node of the chain that the contract is on'],
  ['CONNECTOR_ALLOW_PRIVATE', '1: connectors may use private addresses'],
  ['EXECUTION_CONCURRENCY', 'executions that this process runs at the same time (default 4)'],
  ['RATE_LIMIT_REQUESTS', 'requests a minute from one address (default 1200)'],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'collector of OpenTelemetry traces, such as http://localhost:4318 (default none)',
  ],
  ['LOG_LEVEL', 'fatal, error, warn, info, debug, trace or silent (default info)'],
];

const httpsOnly = 'it speaks HTTPS alone';

/** Reads the environment; gives every error at once. */
export function readConfig(env: Env): Result<ControlPlaneConfig, readonly string[]> {
  const from = new Variables(env);
  return from.finish({
    ...readParts(from),
    host: from.withDefault('CONTROL_HOST', '127.0.0.1', text),
    port: from.withDefault('CONTROL_PORT', 4023, integer(0, 65_535)),
    tls: readTls(from),
    webhooks: {
      secrets: from.optional('WEBHOOK_SECRET', webhookSecrets) ?? [],
      allowPrivate: from.optional('WEBHOOK_ALLOW_PRIVATE', oneOf('1', '0')) === '1',
    },
    connectors: { allowPrivate: from.optional('CONNECTOR_ALLOW_PRIVATE', oneOf('1', '0')) === '1' },
    signIn: readSignIn(from),
    concurrency: from.withDefault('EXECUTION_CONCURRENCY', 4, integer(1, 64)),
    anchor: readAnchor(from),
    requests: from.withDefault('RATE_LIMIT_REQUESTS', 1_200, integer(1, 1_000_000_000)),
    exportsTraces: exportsTraces(from),
    logLevel: from.withDefault(
      'LOG_LEVEL',
      'info',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    ),
  });
}

/** The certificates alone, as their files are now. */
export function readTlsConfig(env: Env): Result<ControlPlaneConfig['tls'], readonly string[]> {
  const from = new Variables(env);
  return from.finish(readTls(from));
}

const readTls = (from: Variables): ControlPlaneConfig['tls'] => ({
  cert: from.required('CONTROL_TLS_CERT', pemFile, httpsOnly),
  key: from.required('CONTROL_TLS_KEY', pemFile, httpsOnly),
  clientCa: from.required('CONTROL_TLS_CLIENT_CA', pemFile, 'admins show certificates of it'),
});

export type ControlPlaneParts = Pick<ControlPlaneConfig, 'storage' | 'socket'>;

/** Reads the settings of commands that use only the database and the enclave. */
export function readPartsConfig(env: Env): Result<ControlPlaneParts, readonly string[]> {
  const from = new Variables(env);
  return from.finish(readParts(from));
}

const readParts = (from: Variables): ControlPlaneParts => ({
  storage: readStorage(from, 'CONTROL_DATA_DIR', '.countersign/control-plane'),
  socket: from.withDefault('ENCLAVE_SOCKET', '.countersign/enclave.sock', text),
});

function readAnchor(from: Variables): AnchorPlace | null {
  const contract = from.optional('AUDIT_ANCHOR_ADDRESS', address);
  if (contract === undefined) return null;
  const rpcUrl = from.required('EVM_RPC_URL', url('http:', 'https:'), 'AUDIT_ANCHOR_ADDRESS is on a chain');
  return { rpcUrl: rpcUrl?.href ?? '', contract };
}

function address(value: string): Result<Address, string> {
  const parsed = parseAddress(value);
  return parsed === null ? fail('must be an address: 0x and 40 hex digits') : ok(parsed);
}

/** Reads one secret, or the new one and its predecessor. Standard Webhooks: 24 to 64 bytes each. */
function webhookSecrets(value: string): Result<readonly string[], string> {
  const secrets = value.split(' ');
  const isSecret = (secret: string): boolean => {
    const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length;
    return secret.startsWith('whsec_') && bytes >= 24 && bytes <= 64;
  };
  return secrets.length <= 2 && secrets.every(isSecret)
    ? ok(secrets)
    : fail('must be whsec_ and 24 to 64 bytes in base64, or two of these with a space between');
}
