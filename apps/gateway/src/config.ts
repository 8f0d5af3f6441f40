import { type Address, parseAddress } from '@countersign/protocol/address';
import { type Amount, parseAmount } from '@countersign/protocol/amount';
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
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { findToken, knownTokens, type Token } from './rules/tokens.ts';

/**
 * What is asked of a service that sends no cart mandate. Two words refuse it: `require` is today's, `reject` that of
 * CART_MANDATE_MISSING_POLICY, the variable's earlier name.
 */
export const cartPolicies = ['budget', 'skip', 'challenge', 'require', 'reject'] as const;
export type CartPolicy = (typeof cartPolicies)[number];

export type DownstreamConfig = {
  /** Fixed by `id=url`; otherwise made from the name the service gives itself. */
  readonly serviceId: string | null;
  readonly url: URL;
};

/** What may be paid, and how. Amounts are exact decimals, times are seconds. */
export type PaymentPolicy = {
  readonly tokens: readonly Token[];
  readonly maxAmount: Amount;
  /** Of one payment, and of all in one UTC day, where no mandate applies. */
  readonly maxUnmandatedAmount: Amount;
  readonly maxUnmandatedDaily: Amount;
  readonly maxValiditySeconds: number;
  readonly missingCart: {
    readonly otherwise: CartPolicy;
    readonly byService: ReadonlyMap<string, CartPolicy>;
  };
};

export type GatewayConfig = {
  readonly privateKey: Uint8Array;
  readonly downstreams: readonly DownstreamConfig[];
  readonly downstreamHeaders: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly transport: 'auto' | 'sse' | 'streamable-http';
  readonly connectRetries: number;
  readonly downstreamTimeoutMs: number;
  readonly paymentTimeoutMs: number;
  /** Null refuses every payment: compliance is fail-close. */
  readonly compliance: { readonly baseUrl: URL; readonly apiKey: string } | null;
  readonly complianceChain: string;
  readonly complianceTimeoutMs: number;
  readonly payment: PaymentPolicy;
  readonly approvers: readonly Address[];
  /** Whether the owner is sent the arguments of a call, or their hash alone. */
  readonly approvalArguments: 'send' | 'hash';
  readonly rpcUrl: URL | null;
  readonly stateDir: string;
  /** Whether a tool that changed since it was accepted is called. */
  readonly toolPinning: 'on' | 'off';
  /** PostgreSQL for the state that gateways share; null keeps it embedded in `stateDir`. */
  readonly databaseUrl: string | null;
  readonly http: { readonly host: string; readonly port: number };
  /** Token to agent name; empty means that no token is asked for. */
  readonly authTokens: ReadonlyMap<string, string>;
  readonly exportsTraces: boolean;
  readonly logLevel: string;
};

/** Reads the gateway's configuration; all errors at once. `mode` tells whether the HTTP rules apply. */
export function readGatewayConfig(
  env: Env,
  mode: 'stdio' | 'http',
): Result<GatewayConfig, readonly string[]> {
  const vars = new Variables(env);
  const config: GatewayConfig = {
    privateKey: vars.required('EVM_PRIVATE_KEY', privateKey, 'the gateway wallet, 0x and 64 hex digits'),
    downstreams: vars.required('DOWNSTREAM_MCP_URLS', listOf(downstream), 'comma-separated URLs, or id=url'),
    downstreamHeaders: vars.withDefault('DOWNSTREAM_MCP_HEADERS', {}, headers),
    transport: vars.withDefault('DOWNSTREAM_MCP_TRANSPORT', 'auto', oneOf('auto', 'sse', 'streamable-http')),
    connectRetries: vars.withDefault('DOWNSTREAM_CONNECT_RETRIES', 3, integer(1, 10)),
    downstreamTimeoutMs: vars.withDefault('DOWNSTREAM_TIMEOUT_MS', 30_000, milliseconds),
    paymentTimeoutMs: vars.withDefault('PAYMENT_TIMEOUT_MS', 120_000, milliseconds),
    compliance: readCompliance(vars),
    complianceChain: vars.withDefault('COMPLIANCE_CHAIN', 'base', text),
    complianceTimeoutMs: vars.withDefault('COMPLIANCE_TIMEOUT_MS', 5000, milliseconds),
    payment: readPaymentPolicy(vars),
    approvers: vars.withDefault('APPROVER_ADDRESSES', [], listOf(address)),
    approvalArguments: vars.withDefault('APPROVAL_ARGUMENTS', 'send', oneOf('send', 'hash')),
    rpcUrl: vars.optional('EVM_RPC_URL', url('http:', 'https:')) ?? null,
    stateDir: vars.withDefault('GATEWAY_STATE_DIR', '.countersign/gateway', text),
    toolPinning: vars.withDefault('TOOL_PINNING', 'on', oneOf('on', 'off')),
    databaseUrl: vars.optional('GATEWAY_DATABASE_URL', databaseUrl) ?? null,
    http: {
      host: vars.withDefault('GATEWAY_HOST', '127.0.0.1', text),
      port: vars.withDefault('GATEWAY_PORT', 4020, integer(0, 65_535)),
    },
    authTokens: readAuthTokens(vars),
    exportsTraces: exportsTraces(vars),
    logLevel: vars.withDefault('LOG_LEVEL', 'info', oneOf('debug', 'info', 'warn', 'error')),
  };
  refuseBadIds(vars, env, config);
  if (mode === 'http' && !isLoopback(config.http.host) && config.authTokens.size === 0) {
    vars.refuse('GATEWAY_AUTH_TOKENS', 'is required when GATEWAY_HOST is not loopback: name:token pairs');
  }
  return vars.finish(config);
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/** Ids name services to agents, and their keys to us: each names one service. */
function refuseBadIds(
  vars: Variables,
  env: Env,
  { downstreams, downstreamHeaders, payment }: GatewayConfig,
): void {
  // Undefined when the variable itself was refused.
  const ids = (downstreams ?? []).map(({ serviceId }) => serviceId).filter((id) => id !== null);
  const twice = ids.find((id, n) => ids.indexOf(id) !== n);
  if (twice !== undefined) vars.refuse('DOWNSTREAM_MCP_URLS', `gives two services the id "${twice}"`);
  if (downstreams === undefined) return;
  const isFree = (id: string): boolean => !ids.includes(id);
  const unfixed = 'for an id that no entry of DOWNSTREAM_MCP_URLS fixes: write id=url there';
  // A name that a service gives itself must earn it neither a key nor trust.
  if (Object.keys(downstreamHeaders).some(isFree))
    vars.refuse('DOWNSTREAM_MCP_HEADERS', `has headers ${unfixed}`);
  if (payment.missingCart !== undefined && trusted(payment).some(isFree))
    vars.refuse(
      env['CART_POLICY'] === undefined ? 'CART_MANDATE_MISSING_POLICY' : 'CART_POLICY',
      `is more trusting than for others ${unfixed}`,
    );
}

const strictness: Record<CartPolicy, number> = { skip: 0, budget: 1, challenge: 2, require: 3, reject: 3 };

/** The services that are asked for less than others. */
const trusted = ({ missingCart: { otherwise, byService } }: PaymentPolicy): readonly string[] =>
  [...byService].filter(([, policy]) => strictness[policy] < strictness[otherwise]).map(([id]) => id);

function readAuthTokens(vars: Variables): ReadonlyMap<string, string> {
  const pairs = vars.withDefault('GATEWAY_AUTH_TOKENS', [], listOf(namedToken));
  const tokens = new Map<string, string>();
  for (const [token, name] of pairs) {
    if ((tokens.get(token) ?? name) !== name)
      vars.refuse('GATEWAY_AUTH_TOKENS', 'gives two agents the same token');
    tokens.set(token, name);
  }
  return tokens;
}

function readCompliance(vars: Variables): GatewayConfig['compliance'] {
  const baseUrl = vars.optional('COMPLIANCE_BASE_URL', url('http:', 'https:'));
  const apiKey = vars.optional('COMPLIANCE_API_KEY', text);
  return baseUrl !== undefined && apiKey !== undefined ? { baseUrl, apiKey } : null;
}

function readPaymentPolicy(vars: Variables): PaymentPolicy {
  const networks = vars.withDefault('PAYMENT_NETWORKS', [8453], listOf(caip2));
  const tokens =
    vars.optional('PAYMENT_ASSETS', listOf(asset)) ??
    knownTokens.filter((token) => networks.includes(token.chainId));
  for (const chainId of networks) {
    if (tokens.some((token) => token.chainId === chainId)) continue;
    vars.refuse(
      'PAYMENT_NETWORKS',
      `names eip155:${chainId}, but no allowed asset is on it: name one in PAYMENT_ASSETS`,
    );
  }
  return {
    tokens: tokens.filter((token) => networks.includes(token.chainId)),
    maxAmount: vars.withDefault('PAYMENT_MAX_AMOUNT', decimal('100'), amount),
    maxUnmandatedAmount: vars.withDefault('PAYMENT_UNMANDATED_MAX_AMOUNT', decimal('1'), amount),
    maxUnmandatedDaily: vars.withDefault('PAYMENT_UNMANDATED_DAILY', decimal('10'), amount),
    maxValiditySeconds: vars.withDefault('PAYMENT_MAX_VALIDITY_SECONDS', 600, integer(10, 3600)),
    missingCart: readCartPolicy(vars),
  };
}

/** Under its earlier name a word means what it meant there: who chose one is bound by no other. */
function readCartPolicy(vars: Variables): PaymentPolicy['missingCart'] {
  const chosen = vars.optional('CART_POLICY', cartPolicy('budget', 'skip', 'challenge', 'require'));
  const earlier = vars.optional('CART_MANDATE_MISSING_POLICY', cartPolicy('skip', 'challenge', 'reject'));
  if (chosen !== undefined && earlier !== undefined)
    vars.refuse('CART_MANDATE_MISSING_POLICY', 'is the earlier name of CART_POLICY, and both are set');
  return chosen ?? earlier ?? { otherwise: 'budget', byService: new Map() };
}

const milliseconds = integer(1, 3_600_000);
const decimal = (value: string): Amount => parseAmount(value) as Amount;

function privateKey(value: string): Result<Uint8Array, string> {
  if (!/^0x[0-9a-fA-F]{64}$/.test(value)) return fail('must be 0x and 64 hex digits');
  const key = Buffer.from(value.slice(2), 'hex');
  try {
    addressOfPrivateKey(key);
    return ok(key);
  } catch {
    return fail('is not a private key of the curve');
  }
}

/** Unlike other URLs it may carry a password, which is why it is never shown. */
const databaseUrl = (value: string): Result<string, string> =>
  /^postgres(ql)?:\/\//.test(value) && URL.canParse(value)
    ? ok(value)
    : fail('must be a URL that begins with postgres://');

const serviceIdPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

function downstream(value: string): Result<DownstreamConfig, string> {
  const named = /^([^=/:]+)=(.+)$/.exec(value);
  const serviceId = named?.[1]?.trim() ?? null;
  if (serviceId !== null && !serviceIdPattern.test(serviceId)) {
    return fail('has an id that is not 1 to 64 letters, digits, ".", "_" or "-"');
  }
  const parsed = url('http:', 'https:')(named?.[2]?.trim() ?? value);
  if (!parsed.ok) return parsed;
  // Letters of other scripts can look like those of the host that is meant.
  if (/(^|\.)xn--/.test(parsed.value.hostname)) return fail('has a host with letters other than a to z');
  return ok({ serviceId, url: parsed.value });
}

function headers(value: string): Result<GatewayConfig['downstreamHeaders'], string> {
  const wanted = 'must be a JSON object: {"serviceId": {"header": "value"}}';
  try {
    const parsed: unknown = JSON.parse(value);
    return isHeaderTable(parsed) ? ok(parsed) : fail(wanted);
  } catch {
    return fail(wanted);
  }
}

function isHeaderTable(value: unknown): value is Record<string, Record<string, string>> {
  const isTable = (v: unknown): v is Record<string, unknown> =>
    typeof v === 'object' && v !== null && !Array.isArray(v);
  return (
    isTable(value) &&
    Object.values(value).every((h) => isTable(h) && Object.entries(h).every(([k, v]) => isHeader(k, v)))
  );
}

/** As RFC 9110 has it: anything else would fail each call, or smuggle a second header in. */
const isHeader = (name: string, value: unknown): boolean =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) &&
  typeof value === 'string' &&
  /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

function caip2(value: string): Result<number, string> {
  const match = /^eip155:([1-9]\d{0,14})$/.exec(value);
  return match === null ? fail('must be CAIP-2 networks such as eip155:8453') : ok(Number(match[1]));
}

function asset(value: string): Result<Token, string> {
  const [network = '', tokenAddress = ''] = value.split('/');
  const chainId = caip2(network);
  const parsed = parseAddress(tokenAddress);
  if (!chainId.ok || parsed === null)
    return fail('must be network/address pairs such as eip155:8453/0x8335…');
  const token = findToken(knownTokens, chainId.value, parsed);
  return token === undefined
    ? fail('names a token whose decimals and signing domain we do not know')
    : ok(token);
}

function amount(value: string): Result<Amount, string> {
  const parsed = parseAmount(value);
  return parsed === null ? fail('must be a plain decimal such as 12.50') : ok(parsed);
}

function address(value: string): Result<Address, string> {
  const parsed = parseAddress(value);
  return parsed === null ? fail('must be 0x-prefixed addresses of 40 hex digits') : ok(parsed);
}

function namedToken(value: string): Result<readonly [token: string, name: string], string> {
  const match = /^([A-Za-z0-9_.-]{1,64}):(\S+)$/.exec(value);
  return match === null ? fail('must be name:token pairs') : ok([match[2] ?? '', match[1] ?? '']);
}

const cartPolicy =
  (first: CartPolicy, ...others: readonly CartPolicy[]) =>
  (value: string): Result<PaymentPolicy['missingCart'], string> => {
    const words = [first, ...others];
    const wanted = `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}, and service=policy pairs: ${first},shop=challenge`;
    let otherwise: CartPolicy | undefined;
    const byService = new Map<string, CartPolicy>();
    for (const part of value.split(',')) {
      const [, service, word = ''] = /^(?:([^=]+)=)?([^=]+)$/.exec(part) ?? [];
      const policy = words.find((known) => known === word.trim());
      const again = service === undefined ? otherwise !== undefined : byService.has(service.trim());
      if (policy === undefined || again) return fail(wanted);
      if (service === undefined) otherwise = policy;
      else byService.set(service.trim(), policy);
    }
    return ok({ otherwise: otherwise ?? 'budget', byService });
  };
