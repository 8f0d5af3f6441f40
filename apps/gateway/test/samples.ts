import { parseAddress } from '@countersign/protocol/address';
import { type Amount, parseAmount } from '@countersign/protocol/amount';
import {
  buildMandateCredential,
  type IntentMandateMessage,
  intentMandateDomain,
  intentMandateTypes,
  proveMandateCredential,
  returnedForm,
} from '@countersign/protocol/dashboard/mandate-credential';
import { type CartMandate, cartMessage } from '@countersign/protocol/gateway/cart-mandate';
import { silentSpan } from '@countersign/service/trace';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import type { PaymentPolicy } from '../src/rules/policy.ts';
import type { MandateAnswer } from '../src/rules/mandate.ts';
import type { ToolCall } from '../src/ports/tool-call.ts';
import { type Demand, readDemand } from '../src/rules/demand.ts';
import { knownTokens } from '../src/rules/tokens.ts';

/** Well-known keys of no worth, so that every test run signs the same texts. */
export const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`);
export const merchant = privateKeyToAccount(`0x${'22'.repeat(32)}`);
export const stranger = privateKeyToAccount(`0x${'33'.repeat(32)}`);

export const amount = (text: string): Amount => {
  const value = parseAmount(text);
  if (value === null) throw new Error(`${text} is no amount`);
  return value;
};

export const address = (account: { address: string }) => {
  const value = parseAddress(account.address);
  if (value === null) throw new Error('no address');
  return value;
};

export const policy: PaymentPolicy = {
  tokens: knownTokens.filter((token) => token.chainId === 84532),
  maxAmount: amount('100'),
  maxUnmandatedAmount: amount('1'),
  maxUnmandatedDaily: amount('10'),
  maxValiditySeconds: 600,
  methods: [],
  missingCart: { otherwise: 'budget', byService: new Map() },
  offerSigners: new Map(),
};

export const requirement = {
  scheme: 'exact',
  network: 'eip155:84532',
  amount: '10000',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  payTo: merchant.address as string,
  maxTimeoutSeconds: 60,
  extra: { name: 'USDC', version: '2' } as Record<string, unknown>,
};

export const required = (changes: object = {}, extra: object = {}) => ({
  x402Version: 2,
  error: 'Payment required',
  resource: { url: 'mcp://tool/quote' },
  accepts: [{ ...requirement, ...changes, extra: { ...requirement.extra, ...extra } }],
});

export function demandFor(received: unknown): Demand {
  const demand = readDemand(received, { payer: address(owner), owner: null }, policy);
  if (!demand.ok) throw new Error(demand.error.why);
  return demand.value;
}

export async function signedCart(
  changes: Partial<CartMandate> = {},
  signer: LocalAccount = merchant,
): Promise<CartMandate> {
  const cart = {
    merchant_id: 'shop',
    merchant_address: merchant.address,
    total_amount: '0.01',
    currency: 'USDC',
    pay_to: merchant.address,
    ...changes,
  };
  return {
    ...cart,
    merchant_signature: await signer.signMessage({ message: cartMessage(cart) }),
    ...changes,
  };
}

export const now = Date.parse('2026-11-21T12:00:00.000Z');

/** A mandate of 1 a transaction and 20 in all, really signed; `changes` are what the dashboard then says differently. */
export async function signedMandate(
  changes: Partial<MandateAnswer> = {},
  message: Partial<IntentMandateMessage> = {},
  signer: LocalAccount = owner,
): Promise<MandateAnswer> {
  const signed: IntentMandateMessage = {
    id: 'mdt_1',
    accountId: '1',
    payerAddress: address(owner),
    perTxLimit: '1',
    totalBudget: '20',
    expiresAt: '2026-12-21T12:00:00.000Z',
    ...message,
  };
  const signature = await signer.signTypedData({
    domain: intentMandateDomain(84532),
    types: intentMandateTypes,
    primaryType: 'IntentMandate',
    message: signed,
  });
  const about = { chainId: 84532, payer: signed.payerAddress };
  const unsigned = buildMandateCredential(signed, {
    ...about,
    platformId: 'acct_1',
    title: 'Demo',
    issuedAt: new Date(now).toISOString(),
  });
  const credential = returnedForm(
    proveMandateCredential(unsigned, { ...about, created: new Date(now).toISOString(), signature }),
  );
  return {
    id: signed.id,
    status: 'active',
    perTxLimit: amount('1'),
    totalBudget: amount('20'),
    usedAmount: amount('0'),
    remainingBudget: amount('20'),
    expiresAt: signed.expiresAt,
    credential,
    ...changes,
  };
}

export const call = (changes: Partial<ToolCall> = {}): ToolCall => ({
  serviceId: 'shop',
  toolName: 'quote',
  arguments: { symbol: 'ACME' },
  paymentPayload: undefined,
  idempotencyKey: undefined,
  traceId: '0123456789abcdef0123456789abcdef',
  span: silentSpan('0123456789abcdef0123456789abcdef'),
  agent: null,
  signal: new AbortController().signal,
  wantsProgress: false,
  onProgress: () => {},
  ...changes,
});
