import type { Address } from '@countersign/protocol/address';
import {
  buildMandateCredential,
  type IntentMandateMessage,
  intentMandateDomain,
  intentMandateTypes,
  proveMandateCredential,
  returnedForm,
} from '@countersign/protocol/dashboard/mandate-credential';
import { keyBytes, type PrivateKey } from '@countersign/local/private-key';
import { addressOfPrivateKey, signHash } from '@countersign/service/ethereum/signature';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import { secp256k1 } from '@countersign/service/ethereum/secp256k1';
import { type JsonAnswer, type JsonServer, serveJson } from './json-server.ts';

export type StubDashboard = JsonServer & {
  /** Payments that were reported to it so far. */
  readonly reports: () => number;
};

export type StubDashboardOptions = {
  readonly chainId: number;
  readonly chainName: string;
  readonly ownerKey: PrivateKey;
  readonly merchantKey: PrivateKey;
  /** Whether it knows holds; without, it answers that it has no such endpoint. */
  readonly holds: boolean;
};

/** A dashboard that says yes at once to everything. Only its signatures are real: the gateway verifies them. */
export async function startStubDashboard(options: StubDashboardOptions): Promise<StubDashboard> {
  const { chainName, merchantKey, holds } = options;
  const merchant = addressOfPrivateKey(keyBytes(merchantKey));
  const publicKey = `0x${Buffer.from(secp256k1.publicKey(keyBytes(merchantKey))).toString('hex')}`;
  const mandate = yes(mandateOf(options));
  const key = yes({ walletAddress: merchant, publicKey });
  const expiresAt = inOneDay();
  let reports = 0;
  const answers: Readonly<Record<string, (body: Record<string, unknown>) => JsonAnswer>> = {
    '/api/accounts/public-key': () => key,
    '/api/mandates/intent/vc': () => mandate,
    '/api/kyc/check': ({ walletAddress }) =>
      yes({ walletAddress, kycCompleted: true, kycStatus: 'approved' }),
    '/api/compliance/kyt/check': ({ walletAddress: address }) =>
      yes({ address, chain: chainName, decision: 'pass', riskLevel: 'low', riskScore: 1 }),
    '/api/transactions': () => ({ ...yes({ id: ++reports }), status: 201 }),
    ...(holds && {
      '/api/mandates/intent/hold': ({ holdId }) => yes({ holdId, remainingBudget: budget, expiresAt }),
    }),
  };
  const server = await serveJson((path, body) => answers[path]?.(body) ?? noSuchEndpoint);
  return { ...server, reports: () => reports };
}

const yes = (data: object): JsonAnswer => ({
  status: 200,
  json: JSON.stringify({ code: 80_000_000, msg: 'success', data }),
});

const noSuchEndpoint: JsonAnswer = {
  status: 404,
  json: JSON.stringify({ code: 80_000_404, msg: 'no such endpoint', data: null }),
};

const budget = '1000000000';
const inOneDay = (): string => new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString();

function mandateOf({ chainId, ownerKey }: StubDashboardOptions): object {
  const payer = addressOfPrivateKey(keyBytes(ownerKey));
  const message: IntentMandateMessage = {
    id: 'mandate-1',
    accountId: 'account-1',
    payerAddress: payer,
    perTxLimit: '1',
    totalBudget: budget,
    expiresAt: inOneDay(),
  };
  const { id, perTxLimit, totalBudget, expiresAt } = message;
  const limits = { perTxLimit, totalBudget, usedAmount: '0', transactionCount: 0 };
  return {
    found: true,
    mandate: { id, ...limits, expiresAt, status: 'active' },
    remainingBudget: budget,
    usagePercent: 0,
    vcJson: returnedForm(credential(message, chainId, payer, ownerKey)),
  };
}

function credential(message: IntentMandateMessage, chainId: number, payer: Address, ownerKey: PrivateKey) {
  const created = new Date().toISOString();
  const about = { chainId, platformId: 'bench', title: 'Benchmark', issuedAt: created };
  const hash = typedDataHasher('IntentMandate', intentMandateTypes.IntentMandate);
  const signature = signHash(hash(intentMandateDomain(chainId), message), keyBytes(ownerKey));
  const unsigned = buildMandateCredential(message, about);
  return proveMandateCredential(unsigned, { chainId, payer, created, signature });
}
