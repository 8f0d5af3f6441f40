import { type Address, parseAddress } from '@countersign/protocol/address';
import { type Amount, parseAmount } from '@countersign/protocol/amount';
import { fail, ok, type Result } from '@countersign/protocol/result';
import {
  type Env,
  databaseUrl,
  exportsTraces,
  integer,
  listOf,
  oneOf,
  text,
  url,
  Variables,
} from '@countersign/service/config';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { type AccessConfig, readAccessConfig, refuseUnownedAccess } from './access/config.ts';
import { type PaymentScheme, paymentSchemes } from './payment-schemes.ts';
import { type CartPolicy, type PaymentPolicy, transferMethods } from './rules/policy.ts';
import { readOfferSigners } from './rules/offer-signers.ts';
import { findToken, knownTokens, type Token } from './rules/tokens.ts';
import { httpServices, type HttpServiceSetting } from './http-services/settings.ts';
import { isHostSafe, serviceIdPattern } from './service-address.ts';

export type DownstreamConfig = {
  /** Fixed by `id=url`; otherwise made from the name the service gives itself. */
  readonly serviceId: string | null;
  readonly url: URL;
};

export type GatewayConfig = {
  readonly privateKey: Uint8Array;
  readonly downstreams: readonly DownstreamConfig[];
  /** Services without MCP, by an OpenAPI document or as plain x402 endpoints. */
  readonly httpServices: readonly HttpServiceSetting[];
  /** Sends what carries a credential of an HTTP service; null where none has one. */
  readonly vault: { readonly baseUrl: URL; readonly token: string } | null;
  readonly downstreamHeaders: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Facilitators whose x402 catalogues tell prices. */
  readonly discoveryUrls: readonly URL[];
  readonly transport: 'auto' | 'sse' | 'streamable-http';
  readonly connectRetries: number;
  readonly downstreamTimeoutMs: number;
  readonly paymentTimeoutMs: number;
  /** Null refuses every payment: compliance is fail-close. */
  readonly compliance: { readonly baseUrl: URL; readonly apiKey: string } | null;
  readonly complianceChain: string;
  readonly complianceTimeoutMs: number;
  readonly payment: PaymentPolicy;
  /** Hosts that the offers of an HTTP service may name beside its own. */
  readonly offerHosts: ReadonlyMap<string, readonly string[]>;
  /** `mpp`: challenges are read. `sign-in-with-x`: the wallet signs in where a right was paid for, instead of paying again. */
  readonly schemes: readonly PaymentScheme[];
  readonly approvers: readonly Address[];
  /** Whose agent the wallet of `privateKey` is; null: it is its owner's own. */
  readonly ownerAddress: Address | null;
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
  /** Settings of OAuth; null if it is off. */
  readonly access: AccessConfig | null;
  readonly exportsTraces: boolean;
  readonly logLevel: string;
};

/** Reads the gateway's configuration; all errors at once. `mode` tells whether the HTTP rules apply. */
export function readGatewayConfig(
  env: Env,
  mode: 'stdio' | 'http',
): Result<GatewayConfig, readonly string[]> {
  const vars = new Variables(env);
  const services = vars.withDefault('HTTP_SERVICES', [], httpServices);
  const schemes = vars.withDefault('PAYMENT_SCHEMES', ['exact'], paymentSchemes);
  const config: GatewayConfig = {
    privateKey: vars.required('EVM_PRIVATE_KEY', privateKey, 'the gateway wallet, 0x and 64 hex digits'),
    downstreams: readDownstreams(vars, env),
    httpServices: services,
    vault: readVault(vars, services),
    downstreamHeaders: vars.withDefault('DOWNSTREAM_MCP_HEADERS', {}, headers),
    discoveryUrls: vars.withDefault('DISCOVERY_URLS', [], listOf(url('http:', 'https:'))),
    transport: vars.withDefault('DOWNSTREAM_MCP_TRANSPORT', 'auto', oneOf('auto', 'sse', 'streamable-http')),
    connectRetries: vars.withDefault('DOWNSTREAM_CONNECT_RETRIES', 3, integer(1, 10)),
    downstreamTimeoutMs: vars.withDefault('DOWNSTREAM_TIMEOUT_MS', 30_000, milliseconds),
    paymentTimeoutMs: vars.withDefault('PAYMENT_TIMEOUT_MS', 120_000, milliseconds),
    compliance: readCompliance(vars),
    complianceChain: vars.withDefault('COMPLIANCE_CHAIN', 'base', text),
    complianceTimeoutMs: vars.withDefault('COMPLIANCE_TIMEOUT_MS', 5000, milliseconds),
    payment: readPaymentPolicy(vars, schemes),
    offerHosts: vars.withDefault('OFFER_ORIGINS', new Map(), offerHosts),
    schemes,
    approvers: vars.withDefault('APPROVER_ADDRESSES', [], listOf(address)),
    ownerAddress: vars.optional('OWNER_ADDRESS', oneAddress) ?? null,
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
    access: mode === 'http' ? readAccessConfig(vars) : null,
    exportsTraces: exportsTraces(vars),
    logLevel: vars.withDefault('LOG_LEVEL', 'info', oneOf('debug', 'info', 'warn', 'error')),
  };
  refuseBadIds(vars, env, config);
  refuseBadOrigins(vars, config);
  refuseOwnKey(vars, config);
  refuseUnseen(vars, config);
  refuseUnownedAccess(vars, config.access, config);
  const takesTokens = config.authTokens.size > 0 || config.access !== null;
  if (mode === 'http' && !isLoopback(config.http.host) && !takesTokens) {
    vars.refuse('GATEWAY_AUTH_TOKENS', 'is required when GATEWAY_HOST is not loopback: name:token pairs');
  }
  return vars.finish(config);
}

/** Needed, unless services are named in the other way. */
function readDownstreams(vars: Variables, env: Env): GatewayConfig['downstreams'] {
  const isNeeded = (env['HTTP_SERVICES'] ?? '').trim() === '';
  const read = listOf(downstream);
  return isNeeded
    ? vars.required('DOWNSTREAM_MCP_URLS', read, 'comma-separated URLs, or id=url')
    : vars.withDefault('DOWNSTREAM_MCP_URLS', [], read);
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/** Refuses Permit2 without an RPC URL: what it may move, and has moved, can be seen only on chain. */
function refuseUnseen(vars: Variables, { payment, rpcUrl }: GatewayConfig): void {
  if (payment.methods.length > 0 && rpcUrl === null)
    vars.refuse('PAYMENT_SCHEMES', 'names permit2 or upto, which need EVM_RPC_URL');
}

/** The key of an agent wallet pays, and signs neither as owner nor as approver. */
function refuseOwnKey(vars: Variables, { privateKey, ownerAddress, approvers }: GatewayConfig): void {
  // Undefined when the variable itself was refused.
  if (ownerAddress === null || privateKey === undefined) return;
  const wallet = addressOfPrivateKey(privateKey);
  if (ownerAddress === wallet)
    vars.refuse(
      'OWNER_ADDRESS',
      'is the wallet of EVM_PRIVATE_KEY: leave it out where the wallet is its owner’s',
    );
  if (approvers?.includes(wallet))
    vars.refuse(
      'APPROVER_ADDRESSES',
      'names the wallet of EVM_PRIVATE_KEY, which with OWNER_ADDRESS approves nothing',
    );
}

/** Ids name services to agents, and their keys to us: each names one service. */
function refuseBadIds(
  vars: Variables,
  env: Env,
  { downstreams, httpServices, downstreamHeaders, payment }: GatewayConfig,
): void {
  // Undefined when the variable itself was refused.
  const ids = (downstreams ?? []).map(({ serviceId }) => serviceId).filter((id) => id !== null);
  const twice = ids.find((id, n) => ids.indexOf(id) !== n);
  if (twice !== undefined) vars.refuse('DOWNSTREAM_MCP_URLS', `gives two services the id "${twice}"`);
  if (downstreams === undefined || httpServices === undefined) return;
  const both = httpServices.find(({ serviceId }) => ids.includes(serviceId))?.serviceId;
  if (both !== undefined)
    vars.refuse('HTTP_SERVICES', `names a service "${both}", as DOWNSTREAM_MCP_URLS does`);
  const fixed = [...ids, ...httpServices.map(({ serviceId }) => serviceId)];
  const isFree = (id: string): boolean => !ids.includes(id);
  const isUnfixed = (id: string): boolean => !fixed.includes(id);
  const unfixed = 'for an id that no entry of DOWNSTREAM_MCP_URLS fixes: write id=url there';
  // A name that a service gives itself must earn it neither a key nor trust.
  if (Object.keys(downstreamHeaders).some(isFree))
    vars.refuse('DOWNSTREAM_MCP_HEADERS', `has headers ${unfixed}`);
  if (signing(payment).some(isUnfixed)) vars.refuse('OFFER_SIGNERS', `has keys ${unfixed}`);
  if (payment.missingCart !== undefined && trusted(payment).some(isUnfixed))
    vars.refuse(
      env['CART_POLICY'] === undefined ? 'CART_MANDATE_MISSING_POLICY' : 'CART_POLICY',
      `is more trusting than for others ${unfixed}`,
    );
}

/** Only the offers of an HTTP service name an origin. */
function refuseBadOrigins(vars: Variables, { offerHosts, httpServices }: Partial<GatewayConfig>): void {
  // Undefined when the variable itself was refused.
  if (offerHosts === undefined || httpServices === undefined) return;
  const known = new Set(httpServices.map(({ serviceId }) => serviceId));
  if ([...offerHosts.keys()].some((id) => !known.has(id)))
    vars.refuse('OFFER_ORIGINS', 'has an origin for a service that is not in HTTP_SERVICES');
}

const strictness: Record<CartPolicy, number> = { skip: 0, budget: 1, challenge: 2, require: 3, reject: 3 };

/** The services that others than their payees may sign for; none when the variable itself was refused. */
const signing = ({ offerSigners }: Partial<PaymentPolicy>): readonly string[] => [
  ...(offerSigners ?? new Map<string, unknown>()).keys(),
];

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

/** Needed as soon as a service has a credential. `services` is undefined when their variable itself was refused. */
function readVault(
  vars: Variables,
  services: GatewayConfig['httpServices'] | undefined,
): GatewayConfig['vault'] {
  if (services?.some(({ credential }) => credential !== null) !== true) return null;
  const why = 'a service of HTTP_SERVICES has a credential';
  const baseUrl = vars.required('VAULT_URL', url('http:', 'https:'), why);
  const token = vars.required('VAULT_TOKEN', text, `${why}: a token of scope credential:send`);
  return { baseUrl, token };
}

function readCompliance(vars: Variables): GatewayConfig['compliance'] {
  const baseUrl = vars.optional('COMPLIANCE_BASE_URL', url('http:', 'https:'));
  const apiKey = vars.optional('COMPLIANCE_API_KEY', text);
  return baseUrl !== undefined && apiKey !== undefined ? { baseUrl, apiKey } : null;
}

function readPaymentPolicy(vars: Variables, schemes: readonly PaymentScheme[]): PaymentPolicy {
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
    methods: transferMethods.filter((method) => schemes.includes(method)),
    missingCart: readCartPolicy(vars),
    offerSigners: vars.withDefault('OFFER_SIGNERS', new Map(), readOfferSigners),
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

/** A list of `service=origin` pairs, of services that are judged elsewhere. A service may have several. */
function offerHosts(value: string): Result<GatewayConfig['offerHosts'], string> {
  const hosts = new Map<string, readonly string[]>();
  for (const part of value.split(',')) {
    const [, service = '', text = ''] = /^([^=]+)=(.+)$/.exec(part.trim()) ?? [];
    const read = url('http:', 'https:')(text);
    if (!read.ok || read.value.href !== `${read.value.origin}/`)
      return fail('must be service=origin pairs: shop=https://shop.example');
    hosts.set(service, [...(hosts.get(service) ?? []), read.value.host]);
  }
  return ok(hosts);
}

const milliseconds = integer(1, 3_600_000);
const decimal = (value: string): Amount => parseAmount(value) as Amount;

export function privateKey(value: string): Result<Uint8Array, string> {
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
function downstream(value: string): Result<DownstreamConfig, string> {
  const named = /^([^=/:]+)=(.+)$/.exec(value);
  const serviceId = named?.[1]?.trim() ?? null;
  if (serviceId !== null && !serviceIdPattern.test(serviceId)) {
    return fail('has an id that is not 1 to 64 letters, digits, ".", "_" or "-"');
  }
  const parsed = url('http:', 'https:')(named?.[2]?.trim() ?? value);
  if (!parsed.ok) return parsed;
  if (!isHostSafe(parsed.value)) return fail('has a host with letters other than a to z');
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

/**
 * Returns whether it is a valid header (RFC 9110). Any other would fail each call, or smuggle in a second
 * header.
 */
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

export function oneAddress(value: string): Result<Address, string> {
  const parsed = parseAddress(value);
  return parsed === null ? fail('must be a 0x-prefixed address of 40 hex digits') : ok(parsed);
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
