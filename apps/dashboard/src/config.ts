import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Address, parseAddress } from '@countersign/protocol/address';
import { fail, ok, type Result } from '@countersign/protocol/result';
import {
  type Env,
  exportsTraces,
  integer,
  listOf,
  oneOf,
  pemFile,
  text,
  url,
  Variables,
} from '@countersign/service/config';
import { readStorage, type StorageConfig } from '@countersign/service/database';
import { privateKeyFile } from '@countersign/service/sign-in-config';
import {
  type KybConfig,
  type KycConfig,
  type KytConfig,
  providerVariables,
  readKyb,
  readKyc,
  readKyt,
  readReview,
} from './provider-config.ts';
import type { ReviewConfig } from './compliance/operators.ts';
import {
  type ProviderSettings,
  providerLoginVariables,
  readAwayDays,
  readProviderLogin,
} from './provider-login/settings.ts';
import type { Delays } from './recovery/show.ts';
import type { RelayConfig } from './control-plane/relay.ts';
import { parseKey, type SealingKey } from './compliance/seal.ts';
import { isUrl } from '@countersign/protocol/url';

export type DashboardConfig = {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Null means `http://<host>:<port>`. */
  readonly publicUrl: URL | null;
  /** Further origins at which the console is opened. People can sign in there; no answer names them. */
  readonly otherOrigins: readonly URL[];
  /** The vault whose pages the console shows; null: none. */
  readonly vaultUrl: URL | null;
  /** The control plane whose executions the console shows; null: none. */
  readonly controlPlane: RelayConfig | null;
  /** Signs for both who is signed in here, so that they need no log-in of their own; null: each asks for its own. */
  readonly signInKey: KeyObject | null;
  readonly storage: StorageConfig;
  readonly chainId: number;
  /** The chain is one of this machine that only has that id: no public explorer knows it. */
  readonly chainIsLocal: boolean;
  /** A node of that chain, for wallets that are contracts; null: they can neither log in nor sign. */
  readonly rpcUrl: URL | null;
  readonly operators: ReadonlySet<Address>;
  readonly kyc: KycConfig;
  readonly kyb: KybConfig;
  readonly review: ReviewConfig;
  readonly kyt: KytConfig;
  /** Seals identities, what KYT vendors answered, and the arguments of calls that wait for approval. */
  readonly evidenceKey: SealingKey;
  /** So long after the decision the personal data of a rejected submission are kept. */
  readonly kycRetentionDays: number;
  /** The waiting periods of a changed recovery address and of a recovery, during which people may object. */
  readonly recovery: Delays;
  /** Whether clients can be connected by OAuth, with this dashboard as their authorization server. */
  readonly oauth: boolean;
  /** The OpenID Connect provider through which people sign in; null: none. */
  readonly providerLogin: ProviderSettings | null;
  /** So long people of a provider are kept who have not signed in. */
  readonly providerAwayMs: number;
  /** A minute, from one address. */
  readonly limits: { readonly logins: number; readonly requests: number };
  readonly exportsTraces: boolean;
  readonly logLevel: string;
};

const hourMs = 60 * 60_000;

/** Every variable of `countersign dashboard`, for its help. */
export const variables: readonly (readonly [name: string, meaning: string])[] = [
  ['DATABASE_URL', 'PostgreSQL 15 or newer; unset: a private one in DASHBOARD_DATA_DIR'],
  ['DASHBOARD_DATA_DIR', 'where the private database lives (default .countersign)'],
  ['DASHBOARD_HOST', 'address to listen on (default 127.0.0.1)'],
  ['DASHBOARD_PORT', 'port to listen on (default 4021)'],
  ['DASHBOARD_PUBLIC_URL', 'public origin of the dashboard (default http://127.0.0.1:<port>)'],
  ['DASHBOARD_OTHER_ORIGINS', 'further origins of the console, comma-separated (default none)'],
  ['VAULT_URL', 'origin of the vault whose pages the console shows (default none)'],
  ['CONTROL_PLANE_URL', 'origin of the control plane whose executions the console shows (default none)'],
  ['CONTROL_PLANE_CA', 'file with the CA of its certificate, PEM (default: public authorities)'],
  [
    'SIGN_IN_KEY',
    'file with an Ed25519 private key, PEM: vault and control plane, which have its public half, take who is signed in here (default: each has its own log-in)',
  ],
  ['SETTLEMENT_CHAIN_ID', 'chain id in logins and mandates (default 8453, Base)'],
  [
    'SETTLEMENT_CHAIN_IS_LOCAL',
    '1: a test chain that only uses that id; the console links to no explorer (default 0)',
  ],
  [
    'EVM_RPC_URL',
    'node of that chain; with it contract wallets can log in and sign, and reported transfers are verified (default none)',
  ],
  ['OPERATOR_ADDRESSES', 'wallets of the operators, comma-separated (default none)'],
  ...providerVariables,
  [
    'EVIDENCE_KEY',
    'seals identities, answers of KYT vendors, arguments of approvals: 32 bytes in base64; unset: a file in DASHBOARD_DATA_DIR',
  ],
  [
    'KYC_RETENTION_DAYS',
    'days until personal data of rejected or withdrawn submissions is deleted (default 90)',
  ],
  [
    'RECOVERY_CHANGE_DAYS',
    'days in which a change of an account’s recovery address can be objected to (default 7)',
  ],
  ['RECOVERY_DELAY_HOURS', 'hours in which a lost wallet’s recovery can be objected to (default 48)'],
  [
    'OAUTH',
    'on: clients connect to gateways by OAuth, with DASHBOARD_PUBLIC_URL as the authorization server (default off)',
  ],
  ...providerLoginVariables,
  ['RATE_LIMIT_LOGINS', 'logins a minute from one address, by wallet and otherwise each apart (default 30)'],
  ['RATE_LIMIT_REQUESTS', 'requests a minute from one address (default 1200)'],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'collector of OpenTelemetry traces, such as http://localhost:4318 (default none)',
  ],
  ['LOG_LEVEL', 'fatal, error, warn, info, debug, trace or silent (default info)'],
];

/** Reads the environment; gives every error at once. */
export function readConfig(env: Env): Result<DashboardConfig, readonly string[]> {
  const from = new Variables(env);
  const config = {
    host: from.withDefault('DASHBOARD_HOST', '127.0.0.1', text),
    port: from.withDefault('DASHBOARD_PORT', 4021, integer(0, 65_535)),
    publicUrl: from.withDefault('DASHBOARD_PUBLIC_URL', null, origin),
    otherOrigins: from.withDefault('DASHBOARD_OTHER_ORIGINS', [], listOf(origin)),
    vaultUrl: from.withDefault('VAULT_URL', null, origin),
    controlPlane: readControlPlane(from),
    signInKey: from.withDefault('SIGN_IN_KEY', null, privateKeyFile),
    storage: storageOf(from),
    chainId: from.withDefault('SETTLEMENT_CHAIN_ID', 8453, integer(1, Number.MAX_SAFE_INTEGER)),
    chainIsLocal: from.optional('SETTLEMENT_CHAIN_IS_LOCAL', oneOf('1', '0')) === '1',
    rpcUrl: from.optional('EVM_RPC_URL', url('http:', 'https:')) ?? null,
    operators: new Set(from.withDefault('OPERATOR_ADDRESSES', [], listOf(address))),
    kyc: readKyc(from),
    kyb: readKyb(from),
    kyt: readKyt(from),
    kycRetentionDays: from.withDefault('KYC_RETENTION_DAYS', 90, integer(1, 36_500)),
    recovery: {
      changeMs: from.withDefault('RECOVERY_CHANGE_DAYS', 7, integer(1, 365)) * 24 * hourMs,
      claimMs: from.withDefault('RECOVERY_DELAY_HOURS', 48, integer(1, 720)) * hourMs,
    },
    oauth: from.withDefault('OAUTH', 'off', oneOf('on', 'off')) === 'on',
    providerLogin: readProviderLogin(from),
    providerAwayMs: readAwayDays(from) * 24 * hourMs,
    limits: {
      logins: from.withDefault('RATE_LIMIT_LOGINS', 30, integer(1, 1_000_000_000)),
      requests: from.withDefault('RATE_LIMIT_REQUESTS', 1_200, integer(1, 1_000_000_000)),
    },
    exportsTraces: exportsTraces(from),
    logLevel: from.withDefault('LOG_LEVEL', 'info', logLevel),
  };
  return from.finish({
    ...config,
    review: readReview(from, config.operators),
    evidenceKey: readEvidenceKey(from, config.storage, config.kyt),
  });
}

function readControlPlane(from: Variables): RelayConfig | null {
  const url = from.optional('CONTROL_PLANE_URL', httpsOrigin);
  const ca = from.optional('CONTROL_PLANE_CA', pemFile) ?? null;
  return url === undefined ? null : { url, ca };
}

/** The part of the configuration that a command on the database alone needs. */
export function readStorageConfig(env: Env): Result<StorageConfig, readonly string[]> {
  const from = new Variables(env);
  return from.finish(storageOf(from));
}

/** Reads the settings of a command that decrypts the evidence. */
export function readEvidenceConfig(
  env: Env,
): Result<{ storage: StorageConfig; key: SealingKey }, readonly string[]> {
  const from = new Variables(env);
  const storage = storageOf(from);
  const key = from.optional('EVIDENCE_KEY', evidenceKey);
  const path = keyFileOf(storage);
  if (key !== undefined) return from.finish({ storage, key: { kind: 'given', key } });
  const isThere = path !== null && existsSync(path);
  return from.finish({ storage, key: isThere ? { kind: 'file', path } : { kind: 'none' } });
}

const keyFileOf = (storage: StorageConfig): string | null =>
  storage.kind === 'managed' ? join(storage.directory, 'evidence.key') : null;

const storageOf = (from: Variables): StorageConfig => readStorage(from, 'DASHBOARD_DATA_DIR', '.countersign');

/** A file beside a database that others share would be lost to them: there the key has to be given. */
function readEvidenceKey(from: Variables, storage: StorageConfig, kyt: KytConfig): SealingKey {
  const key = from.optional('EVIDENCE_KEY', evidenceKey);
  if (key !== undefined) return { kind: 'given', key };
  const path = keyFileOf(storage);
  if (path !== null) return { kind: 'file', path };
  // Then nobody can hand in an identity, and the arguments of approvals are not kept: both are told where one looks.
  if (kyt.providers.every(({ provider }) => provider === 'ofac-sdn')) return { kind: 'none' };
  from.refuse('EVIDENCE_KEY', 'is required: DATABASE_URL is set and KYT_PROVIDER names a vendor');
  return { kind: 'none' };
}

function evidenceKey(value: string): Result<Buffer, string> {
  const key = parseKey(value);
  return key === null ? fail('must be 32 bytes in base64, as `openssl rand -base64 32` makes them') : ok(key);
}

const logLevel = oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent');

function address(value: string): Result<Address, string> {
  const parsed = parseAddress(value);
  return parsed === null ? fail('must hold 0x-prefixed addresses with a right EIP-55 checksum') : ok(parsed);
}

function origin(value: string): Result<URL, string> {
  const wanted = 'must be an origin such as https://dashboard.example.com, without a path';
  if (!isUrl(value)) return fail(wanted);
  const url = new URL(value);
  const isOrigin = /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  return isOrigin ? ok(url) : fail(wanted);
}

function httpsOrigin(value: string): Result<URL, string> {
  const url = origin(value);
  return url.ok && url.value.protocol !== 'https:' ? fail('must begin with https://') : url;
}
