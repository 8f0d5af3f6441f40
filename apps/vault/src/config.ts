import { type Address, parseAddress } from '@countersign/protocol/address';
import { fail, ok, type Result } from '@countersign/protocol/result';
import {
  type Env,
  exportsTraces,
  integer,
  listOf,
  oneOf,
  text,
  url,
  Variables,
} from '@countersign/service/config';
import { readStorage, type StorageConfig } from '@countersign/service/database';
import { readSignIn, type SignInConfig, signInVariables } from '@countersign/service/sign-in-config';
import { isUrl } from '@countersign/protocol/url';

/** Where the audit log's roots are published, and with which key. */
export type AnchorConfig = {
  readonly rpcUrl: string;
  readonly contract: Address;
  readonly privateKey: `0x${string}`;
  readonly intervalMs: number;
};

export type VaultConfig = {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly storage: StorageConfig;
  /** The enclave's Unix socket. */
  readonly socket: string;
  /** Origins of pages that may call us; none, no page may. */
  readonly consoleOrigins: readonly string[];
  /** SHA-256, in hex, of passwords that a program made at random: failed log-ins of others never lock them out. */
  readonly randomPasswords: readonly string[];
  /** The dashboard whose people need no log-in here; null: none. */
  readonly signIn: SignInConfig | null;
  /** Null: nowhere. */
  readonly anchor: AnchorConfig | null;
  /** Requests a minute from one address. */
  readonly requests: number;
  readonly exportsTraces: boolean;
  readonly logLevel: string;
};

/** Every variable of `countersign vault`, for its help. */
export const variables: readonly (readonly [name: string, meaning: string])[] = [
  ['DATABASE_URL', 'PostgreSQL 15 or newer; unset: a private one in VAULT_DATA_DIR'],
  ['VAULT_DATA_DIR', 'where the private database lives (default .countersign/vault)'],
  ['VAULT_HOST', 'address to listen on (default 127.0.0.1)'],
  ['VAULT_PORT', 'port to listen on (default 4022)'],
  ['VAULT_CONSOLE_ORIGIN', 'origins of pages that may call the API, comma-separated (default none)'],
  [
    'VAULT_RANDOM_PASSWORDS',
    'SHA-256 in hex of passwords with 128 random bits or more, comma-separated: failed logins do not lock them out (default none)',
  ],
  ...signInVariables,
  ['ENCLAVE_SOCKET', 'Unix socket of the enclave (default .countersign/enclave.sock)'],
  ['AUDIT_ANCHOR_ADDRESS', 'contract to which the audit log’s roots are published (default none)'],
  ['ANCHOR_PRIVATE_KEY', 'key of its publisher, 0x and 64 hex digits'],
  ['EVM_RPC_URL', 'node of the chain that the contract is on'],
  ['ANCHOR_INTERVAL_SECONDS', 'how often a root is published (default 600)'],
  ['RATE_LIMIT_REQUESTS', 'requests a minute from one address (default 1200)'],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'collector of OpenTelemetry traces, such as http://localhost:4318 (default none)',
  ],
  ['LOG_LEVEL', 'fatal, error, warn, info, debug, trace or silent (default info)'],
];

/** Reads the environment; gives every error at once. */
export function readConfig(env: Env): Result<VaultConfig, readonly string[]> {
  const from = new Variables(env);
  return from.finish({
    ...readParts(from),
    host: from.withDefault('VAULT_HOST', '127.0.0.1', text),
    port: from.withDefault('VAULT_PORT', 4022, integer(0, 65_535)),
    consoleOrigins: from.withDefault('VAULT_CONSOLE_ORIGIN', [], listOf(origin)),
    randomPasswords: from.withDefault('VAULT_RANDOM_PASSWORDS', [], listOf(digest)),
    signIn: readSignIn(from),
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

export type VaultParts = Pick<VaultConfig, 'storage' | 'socket'>;

/** Reads the settings of commands that use only the database and the enclave. */
export function readPartsConfig(env: Env): Result<VaultParts, readonly string[]> {
  const from = new Variables(env);
  return from.finish(readParts(from));
}

/** Reads the settings of commands that use only the enclave. */
export function readSocketConfig(env: Env): Result<string, readonly string[]> {
  const from = new Variables(env);
  return from.finish(readSocket(from));
}

const readParts = (from: Variables): VaultParts => ({
  storage: readStorage(from, 'VAULT_DATA_DIR', '.countersign/vault'),
  socket: readSocket(from),
});

const readSocket = (from: Variables): string =>
  from.withDefault('ENCLAVE_SOCKET', '.countersign/enclave.sock', text);

function readAnchor(from: Variables): AnchorConfig | null {
  const intervalMs = from.withDefault('ANCHOR_INTERVAL_SECONDS', 600, integer(1, 86_400)) * 1000;
  const contract = from.optional('AUDIT_ANCHOR_ADDRESS', address);
  if (contract === undefined) return null;
  const rpcUrl = from.required('EVM_RPC_URL', url('http:', 'https:'), 'AUDIT_ANCHOR_ADDRESS is on a chain');
  const privateKey = from.required('ANCHOR_PRIVATE_KEY', key, 'AUDIT_ANCHOR_ADDRESS is set');
  return { rpcUrl: rpcUrl?.href ?? '', contract, privateKey, intervalMs };
}

function address(value: string): Result<Address, string> {
  const parsed = parseAddress(value);
  return parsed === null ? fail('must be an address: 0x and 40 hex digits') : ok(parsed);
}

const key = (value: string): Result<`0x${string}`, string> =>
  /^0x[0-9a-fA-F]{64}$/.test(value) ? ok(value as `0x${string}`) : fail('must be 0x and 64 hex digits');

const digest = (value: string): Result<string, string> =>
  /^[0-9a-f]{64}$/.test(value) ? ok(value) : fail('must hold SHA-256 digests: 64 hex digits each');

function origin(value: string): Result<string, string> {
  const wanted = 'must hold origins such as https://dashboard.example.com, without a path';
  if (!isUrl(value)) return fail(wanted);
  const parsed = new URL(value);
  return /^https?:$/.test(parsed.protocol) && `${parsed.origin}/` === parsed.href
    ? ok(parsed.origin)
    : fail(wanted);
}
