import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type Address, parseAddress } from '@countersign/protocol/address';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Tee, tee } from '@countersign/protocol/vault/audit-record';
import { type Env, integer, listOf, oneOf, text, url, Variables } from '@countersign/service/config';
import type { Limits } from './caps/cgroup.ts';
import { readNetwork } from '../channel/networks.ts';
import type { ReviewModel } from './review-model.ts';

export type EnclaveConfig = {
  readonly socket: string;
  readonly dir: string;
  readonly tee: Tee['kind'];
  /** Path of the sealing secret for a TEE without one of its own; null if none was configured. */
  readonly rootKeyFile: string | null;
  /** Name of the audit log. */
  readonly origin: string;
  /** The chain and contract to which log roots are published; null if none is configured. */
  readonly anchor: { readonly rpcUrl: string; readonly contract: Address } | null;
  readonly sandbox: {
    readonly isolation: 'required' | 'best';
    /** Path of Chromium; null: of the system, or the one that comes along. */
    readonly chromium: string | null;
    /** Addresses and CIDRs that are reached though they are not public. */
    readonly allowPrivate: readonly string[];
    /** Limits on each session. */
    readonly limits: Limits;
  };
  /** Settings of the control plane's executions. */
  readonly connector: {
    readonly driver: 'auto' | 'docker' | 'kubernetes';
    /** The container image with this program. */
    readonly image: string | null;
    /** The Kubernetes runtime class; null: the cluster's default. */
    readonly runtimeClass: string | null;
    /** File of certificates in PEM. */
    readonly ca: string | null;
  };
  /** The second judge of operations; null: the rules alone. */
  readonly reviewModel: ReviewModel | null;
  readonly logLevel: string;
};

/** Every variable of `countersign enclave`, for its help. */
export const variables: readonly (readonly [name: string, meaning: string])[] = [
  ['ENCLAVE_SOCKET', 'Unix socket that the vault connects to (default .countersign/enclave.sock)'],
  ['ENCLAVE_DATA_DIR', 'keys, sealed by the TEE, and the audit log (default .countersign/enclave)'],
  ['TEE_PROVIDER', `${tee.shape.kind.options.join(', ')} (default simulated)`],
  [
    'ENCLAVE_ROOT_KEY_FILE',
    'with tdx, sev-snp and nitro: the sealing secret, 32 bytes that your key service releases',
  ],
  ['AUDIT_ORIGIN', 'permanent name of the audit log: host and path (default countersign.local/audit)'],
  ['AUDIT_ANCHOR_ADDRESS', 'AuditAnchor contract, whose root the log must match (default none)'],
  ['EVM_RPC_URL', 'node of the chain of that contract'],
  [
    'SANDBOX_ISOLATION',
    'required (default): refuse a browser session that cannot have its own network; best: use what is available',
  ],
  ['SANDBOX_MEMORY_MB', 'memory of a session, MiB (default 512)'],
  ['SANDBOX_CPU', 'processors of a session, such as 0.5 (default 1)'],
  ['SANDBOX_CHROMIUM', 'path of Chromium (default: the system’s, otherwise the bundled one)'],
  [
    'SANDBOX_ALLOW_PRIVATE',
    'non-public addresses and CIDRs that sessions may reach, comma-separated (default none)',
  ],
  [
    'CONNECTOR_DRIVER',
    'what isolates connectors: auto (default: bubblewrap, else unshare), docker, kubernetes',
  ],
  ['CONNECTOR_IMAGE', 'with docker and kubernetes: a countersign image'],
  ['CONNECTOR_RUNTIME_CLASS', 'with kubernetes: runtimeClassName, such as gvisor (default none)'],
  ['CONNECTOR_CA', 'file with certificates (PEM) to trust for services, in addition to the public ones'],
  [
    'REVIEW_MODEL_URL',
    'second reviewer of operations, which can only be stricter: base URL of an OpenAI-compatible API (default none)',
  ],
  ['REVIEW_MODEL', 'its model; if it does not respond within 3 s, approval is required'],
  ['REVIEW_MODEL_KEY', 'its key (default none)'],
  ['ENCLAVE_ALLOW_SIMULATED_TEE', 'yes: allow a simulated TEE although NODE_ENV is production'],
  ['LOG_LEVEL', 'fatal, error, warn, info, debug, trace or silent (default info)'],
];

/** Longest path of a Unix socket that every system takes, in bytes. */
const maxSocketPath = 103;

/** Reads the environment; gives every error at once. */
export function readConfig(env: Env): Result<EnclaveConfig, readonly string[]> {
  const from = new Variables(env);
  const config = {
    socket: from.withDefault('ENCLAVE_SOCKET', '.countersign/enclave.sock', socketPath),
    dir: from.withDefault('ENCLAVE_DATA_DIR', '.countersign/enclave', text),
    tee: from.withDefault('TEE_PROVIDER', 'simulated', oneOf(...tee.shape.kind.options)),
    rootKeyFile: from.optional('ENCLAVE_ROOT_KEY_FILE', text) ?? null,
    origin: from.withDefault('AUDIT_ORIGIN', 'countersign.local/audit', originName),
    anchor: readAnchor(from),
    sandbox: readSandbox(from),
    connector: readConnector(from),
    reviewModel: readReviewModel(from),
    logLevel: from.withDefault(
      'LOG_LEVEL',
      'info',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    ),
  };
  const isAllowed = from.optional('ENCLAVE_ALLOW_SIMULATED_TEE', oneOf('yes')) === 'yes';
  if (config.tee === 'simulated' && env['NODE_ENV'] === 'production' && !isAllowed)
    from.refuse(
      'TEE_PROVIDER',
      'must name hardware in production: simulated does not protect against whoever controls the machine (ENCLAVE_ALLOW_SIMULATED_TEE=yes allows it)',
    );
  return from.finish(config);
}

function readSandbox(from: Variables): EnclaveConfig['sandbox'] {
  return {
    isolation: from.withDefault('SANDBOX_ISOLATION', 'required', oneOf('required', 'best')),
    chromium: from.optional('SANDBOX_CHROMIUM', program) ?? null,
    allowPrivate: from.optional('SANDBOX_ALLOW_PRIVATE', listOf(readNetwork)) ?? [],
    limits: {
      memoryMb: from.withDefault('SANDBOX_MEMORY_MB', 512, integer(128, 65_536)),
      cpu: from.withDefault('SANDBOX_CPU', 1, processors),
    },
  };
}

function readConnector(from: Variables): EnclaveConfig['connector'] {
  const driver = from.withDefault('CONNECTOR_DRIVER', 'auto', oneOf('auto', 'docker', 'kubernetes'));
  return {
    driver,
    image:
      driver === 'auto'
        ? null
        : (from.required('CONNECTOR_IMAGE', text, `the image that ${driver} runs`) ?? null),
    runtimeClass: from.optional('CONNECTOR_RUNTIME_CLASS', text) ?? null,
    ca: from.optional('CONNECTOR_CA', certificates) ?? null,
  };
}

function readReviewModel(from: Variables): ReviewModel | null {
  const base = from.optional('REVIEW_MODEL_URL', url('http:', 'https:'));
  if (base === undefined) return null;
  const model = from.required('REVIEW_MODEL', text, 'the model that is asked at REVIEW_MODEL_URL');
  return { url: base.href, model, key: from.optional('REVIEW_MODEL_KEY', text) ?? null };
}

function readAnchor(from: Variables): EnclaveConfig['anchor'] {
  const contract = from.optional('AUDIT_ANCHOR_ADDRESS', address);
  if (contract === undefined) return null;
  const rpcUrl = from.required('EVM_RPC_URL', url('http:', 'https:'), 'AUDIT_ANCHOR_ADDRESS is on a chain');
  return { rpcUrl: rpcUrl?.href ?? '', contract };
}

function socketPath(value: string): Result<string, string> {
  return Buffer.byteLength(value) <= maxSocketPath
    ? ok(value)
    : fail(`must be a path of at most ${maxSocketPath} bytes`);
}

function program(value: string): Result<string, string> {
  return isAbsolute(value) && existsSync(value) ? ok(value) : fail('must be the path of a program, from /');
}

function certificates(path: string): Result<string, string> {
  try {
    if (new X509Certificate(readFileSync(path)).subject !== undefined) return ok(path);
  } catch {
    // Told below.
  }
  return fail('must be the path of a file of certificates (PEM)');
}

function processors(value: string): Result<number, string> {
  const number = Number(value);
  return /^\d{1,3}(\.\d{1,2})?$/.test(value) && number >= 0.1
    ? ok(number)
    : fail('must be a number of processors from 0.1, such as 1 or 0.5');
}

function originName(value: string): Result<string, string> {
  return /^[^\s+]{1,200}$/.test(value) ? ok(value) : fail('must be a name without blanks and plus signs');
}

function address(value: string): Result<Address, string> {
  const parsed = parseAddress(value);
  return parsed === null ? fail('must be an address: 0x and 40 hex digits') : ok(parsed);
}
