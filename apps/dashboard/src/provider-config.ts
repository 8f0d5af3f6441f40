import { type Address, parseAddress } from '@countersign/protocol/address';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { integer, listOf, oneOf, text, type Variables } from '@countersign/service/config';
import type { ChainalysisConfig } from './adapters/chainalysis.ts';
import type { EllipticConfig } from './adapters/elliptic.ts';
import type { PersonaBusinessConfig } from './adapters/persona-business.ts';
import type { PersonaConfig } from './adapters/persona.ts';
import type { SanctionsOracleConfig } from './adapters/sanctions-oracle.ts';
import type { SumsubCompanyConfig } from './adapters/sumsub-company.ts';
import type { SumsubConfig } from './adapters/sumsub.ts';
import type { TrmConfig } from './adapters/trm.ts';
import type { ReviewConfig } from './compliance/operators.ts';
import type { ScreeningPolicy } from './screening/risk.ts';
import { isUrl } from '@countersign/protocol/url';

export type KycConfig =
  | { readonly provider: 'review-queue' }
  | ({ readonly provider: 'sumsub' } & SumsubConfig)
  | ({ readonly provider: 'persona' } & PersonaConfig);

/** Null: operators alone check businesses. */
export type KybConfig =
  | null
  | ({ readonly provider: 'sumsub' } & SumsubCompanyConfig)
  | ({ readonly provider: 'persona' } & PersonaBusinessConfig);

export type KytProviderConfig =
  | { readonly provider: 'ofac-sdn' }
  | ({ readonly provider: 'sanctions-oracle' } & SanctionsOracleConfig)
  | ({ readonly provider: 'chainalysis' } & ChainalysisConfig)
  | ({ readonly provider: 'trm' } & TrmConfig)
  | ({ readonly provider: 'elliptic' } & EllipticConfig);

/** At least one provider, none of them twice. */
export type KytConfig = ScreeningPolicy & { readonly providers: readonly KytProviderConfig[] };

/** Every variable of the providers, for the help. */
export const providerVariables: readonly (readonly [name: string, meaning: string])[] = [
  ['KYC_PROVIDER', 'who verifies identities: review-queue (default), sumsub or persona'],
  ['KYB_PROVIDER', 'who checks businesses for operators: none (default), sumsub or persona'],
  ['KYC_VALID_DAYS', 'days that an approval by operators is valid: 1 to 3650 (default 365)'],
  ['KYC_FOUR_EYES', '1: approvals and removals from the deny list need two operators (default 0)'],
  [
    'KYT_PROVIDER',
    'who screens addresses: one or more of ofac-sdn (default), sanctions-oracle, chainalysis, trm, elliptic',
  ],
  ['KYT_REQUIRE', 'which of several providers must answer for a pass: all (default) or any'],
  ['KYT_REJECT_AT', 'the lowest risk level that is rejected: medium, high (default) or severe'],
  ['SUMSUB_APP_TOKEN', 'sumsub: the app token'],
  ['SUMSUB_SECRET_KEY', 'sumsub: its secret key'],
  ['SUMSUB_LEVEL', 'sumsub: the verification level whose approval counts'],
  [
    'SUMSUB_WEBHOOK_SECRET',
    'sumsub: secret of the webhook /api/kyc/webhooks/sumsub (default none: no webhook)',
  ],
  ['SUMSUB_KYB_LEVEL', 'sumsub, for businesses: the level of companies whose approval counts'],
  [
    'SUMSUB_KYB_WEBHOOK_SECRET',
    'sumsub, for businesses: secret of the webhook /api/business/webhooks/sumsub (default none: no webhook)',
  ],
  ['SUMSUB_URL', 'sumsub: default https://api.sumsub.com'],
  ['PERSONA_API_KEY', 'persona: the API key'],
  ['PERSONA_TEMPLATE_ID', 'persona: the inquiry template whose approval counts'],
  ['PERSONA_APPROVED_AT', 'persona: approved (default), or completed where the template decides nothing'],
  [
    'PERSONA_WEBHOOK_SECRET',
    'persona: secret of the webhook /api/kyc/webhooks/persona (default none: no webhook)',
  ],
  [
    'PERSONA_KYB_TRANSACTION_TYPE_ID',
    'persona, for businesses: the type of transactions whose approval counts',
  ],
  [
    'PERSONA_KYB_WEBHOOK_SECRET',
    'persona, for businesses: secret of the webhook /api/business/webhooks/persona (default none: no webhook)',
  ],
  ['PERSONA_URL', 'persona: default https://api.withpersona.com'],
  ['SANCTIONS_ORACLE_RPC_URL', 'sanctions-oracle: JSON-RPC of the contract’s chain'],
  [
    'SANCTIONS_ORACLE_ADDRESS',
    'sanctions-oracle: default 0x40C57923924B5c5c5455c48D93317139ADDaC8fb (not on Base)',
  ],
  ['CHAINALYSIS_API_KEY', 'chainalysis: key of the Address Screening API'],
  ['CHAINALYSIS_URL', 'chainalysis: default https://api.chainalysis.com'],
  ['TRM_API_KEY', 'trm: the API key'],
  ['TRM_URL', 'trm: default https://api.trmlabs.com'],
  ['ELLIPTIC_KEY', 'elliptic: the API key'],
  ['ELLIPTIC_SECRET', 'elliptic: its secret, in base64'],
  ['ELLIPTIC_URL', 'elliptic: default https://aml-api.elliptic.co'],
];

type Needed = ReturnType<typeof neededBy>;

const sumsubAccess = (from: Variables, needed: Needed) => ({
  url: from.withDefault('SUMSUB_URL', new URL('https://api.sumsub.com'), vendorUrl),
  appToken: needed('sumsub', 'SUMSUB_APP_TOKEN', text),
  secretKey: needed('sumsub', 'SUMSUB_SECRET_KEY', text),
});

const personaAccess = (from: Variables, needed: Needed) => ({
  url: from.withDefault('PERSONA_URL', new URL('https://api.withpersona.com'), vendorUrl),
  apiKey: needed('persona', 'PERSONA_API_KEY', text),
});

/** Who knows identities. What a provider needs is demanded of the one that is chosen, and checked of every one. */
export function readKyc(from: Variables): KycConfig {
  const provider = from.withDefault(
    'KYC_PROVIDER',
    'review-queue',
    oneOf('review-queue', 'sumsub', 'persona'),
  );
  const needed = neededBy(from, 'KYC_PROVIDER', [provider]);
  const sumsub: SumsubConfig = {
    ...sumsubAccess(from, needed),
    level: needed('sumsub', 'SUMSUB_LEVEL', text),
    webhookSecret: from.withDefault('SUMSUB_WEBHOOK_SECRET', null, text),
  };
  const persona: PersonaConfig = {
    ...personaAccess(from, needed),
    templateId: needed('persona', 'PERSONA_TEMPLATE_ID', text),
    approvedAt: from.withDefault('PERSONA_APPROVED_AT', 'approved', oneOf('approved', 'completed')),
    webhookSecret: from.withDefault('PERSONA_WEBHOOK_SECRET', null, text),
  };
  switch (provider) {
    case 'review-queue':
      return { provider };
    case 'sumsub':
      return { provider, ...sumsub };
    case 'persona':
      return { provider, ...persona };
  }
}

/** Who checks businesses, with the access that KYC has there. */
export function readKyb(from: Variables): KybConfig {
  const provider = from.withDefault('KYB_PROVIDER', 'none', oneOf('none', 'sumsub', 'persona'));
  const needed = neededBy(from, 'KYB_PROVIDER', [provider]);
  const sumsub: SumsubCompanyConfig = {
    ...sumsubAccess(from, needed),
    level: needed('sumsub', 'SUMSUB_KYB_LEVEL', text),
    webhookSecret: from.withDefault('SUMSUB_KYB_WEBHOOK_SECRET', null, text),
  };
  const persona: PersonaBusinessConfig = {
    ...personaAccess(from, needed),
    transactionTypeId: needed('persona', 'PERSONA_KYB_TRANSACTION_TYPE_ID', text),
    webhookSecret: from.withDefault('PERSONA_KYB_WEBHOOK_SECRET', null, text),
  };
  switch (provider) {
    case 'none':
      return null;
    case 'sumsub':
      return { provider, ...sumsub };
    case 'persona':
      return { provider, ...persona };
  }
}

/** Two different operators are needed where two have to agree. */
export function readReview(from: Variables, operators: ReadonlySet<Address>): ReviewConfig {
  const fourEyes = from.withDefault('KYC_FOUR_EYES', '0', oneOf('0', '1')) === '1';
  if (fourEyes && operators.size < 2) from.refuse('KYC_FOUR_EYES', 'needs two OPERATOR_ADDRESSES at least');
  return { validDays: from.withDefault('KYC_VALID_DAYS', 365, integer(1, 3650)), fourEyes };
}

const kytProviders = ['ofac-sdn', 'sanctions-oracle', 'chainalysis', 'trm', 'elliptic'] as const;

/** Who screens addresses, and by which policy. */
export function readKyt(from: Variables): KytConfig {
  const chosen = from.withDefault('KYT_PROVIDER', ['ofac-sdn' as const], listOf(oneOf(...kytProviders)));
  if (new Set(chosen).size < chosen.length) from.refuse('KYT_PROVIDER', 'names a provider twice');
  const needed = neededBy(from, 'KYT_PROVIDER', chosen);
  const configs: Record<(typeof kytProviders)[number], KytProviderConfig> = {
    'ofac-sdn': { provider: 'ofac-sdn' },
    'sanctions-oracle': {
      provider: 'sanctions-oracle',
      rpcUrl: needed('sanctions-oracle', 'SANCTIONS_ORACLE_RPC_URL', vendorUrl),
      contract: from.withDefault('SANCTIONS_ORACLE_ADDRESS', usualOracle, contractAddress),
    },
    chainalysis: {
      provider: 'chainalysis',
      url: from.withDefault('CHAINALYSIS_URL', new URL('https://api.chainalysis.com'), vendorUrl),
      apiKey: needed('chainalysis', 'CHAINALYSIS_API_KEY', text),
    },
    trm: {
      provider: 'trm',
      url: from.withDefault('TRM_URL', new URL('https://api.trmlabs.com'), vendorUrl),
      apiKey: needed('trm', 'TRM_API_KEY', text),
    },
    elliptic: {
      provider: 'elliptic',
      url: from.withDefault('ELLIPTIC_URL', new URL('https://aml-api.elliptic.co'), vendorUrl),
      key: needed('elliptic', 'ELLIPTIC_KEY', text),
      secret: needed('elliptic', 'ELLIPTIC_SECRET', base64),
    },
  };
  return {
    providers: chosen.map((provider) => configs[provider]),
    require: from.withDefault('KYT_REQUIRE', 'all', oneOf('all', 'any')),
    rejectAt: from.withDefault('KYT_REJECT_AT', 'high', oneOf('medium', 'high', 'severe')),
  };
}

type Reader<T> = (value: string) => Result<T, string>;

/** Reads what one provider needs. It is missed only where that provider is chosen, and then never used unread. */
const neededBy =
  (from: Variables, variable: string, chosen: readonly string[]) =>
  <T>(provider: string, name: string, read: Reader<T>): T =>
    chosen.includes(provider)
      ? from.required(name, read, `${variable} names ${provider}`)
      : (from.optional(name, read) as T);

/** The contract's address on Ethereum, Polygon, BNB, Avalanche, Optimism, Arbitrum and Celo. */
const usualOracle = parseAddress('0x40c57923924b5c5c5455c48d93317139addac8fb') as Address;

function contractAddress(value: string): Result<Address, string> {
  const parsed = parseAddress(value);
  return parsed === null ? fail('must be a 0x-prefixed address with a right EIP-55 checksum') : ok(parsed);
}

/** Keys travel to it, so beyond this machine only by TLS. */
function vendorUrl(value: string): Result<URL, string> {
  const wanted =
    'must be a URL that begins with https:// (http:// on this machine), without user or password';
  if (!isUrl(value)) return fail(wanted);
  const url = new URL(value);
  const local = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && local);
  return safe && url.username === '' && url.password === '' ? ok(url) : fail(wanted);
}

const base64: Reader<string> = (value) =>
  /^[A-Za-z0-9+/]+={0,2}$/.test(value) && value.length % 4 === 0 ? ok(value) : fail('must be base64');
