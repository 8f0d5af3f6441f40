import { randomBytes } from 'node:crypto';
import { erasureStatement } from '@countersign/protocol/dashboard/erasure-statement';
import { Client } from 'pg';
import { createSiweMessage, type SiweMessage } from 'viem/siwe';
import { expect } from 'vitest';
import { askedOf, signatureOf } from './approvals.ts';
import {
  type Json,
  loginMessage,
  newWallet,
  paymentOf,
  type TestDashboard,
  type Wallet,
} from './dashboard.ts';

export const operatorWallet = newWallet();
export const operators = new Set([operatorWallet.address]);
export const dayMs = 24 * 60 * 60_000;
export const word = () => randomBytes(9).toString('hex');

export type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;

export const newIdentity = () => ({
  fullName: `Ada ${word()} Byron`,
  country: 'GB',
  documentType: 'passport',
  documentNumber: `X${word()}`,
});

export const urlOf = ({ config: { storage } }: TestDashboard): string =>
  storage.kind === 'given' ? storage.url : '';

export async function query(
  at: TestDashboard,
  text: string,
  values: readonly unknown[] = [],
): Promise<Json[]> {
  const client = new Client({ connectionString: urlOf(at) });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** What a wallet signs to have its data erased; `change` bends it before. */
export async function askToErase(at: TestDashboard, wallet: Wallet, change: Partial<SiweMessage> = {}) {
  const { nonce } = (await at.post('/api/auth/nonce', {})).data;
  const fields = { nonce, issuedAt: at.clock.now, statement: erasureStatement, ...change };
  const message = createSiweMessage(loginMessage(at.url, wallet, fields));
  return { message, signature: wallet.signMessage(message) };
}
export const erase = async (at: TestDashboard, { wallet, token }: Owner) =>
  at.post('/api/personal-data/erase', await askToErase(at, wallet), token);

export async function exportOf(at: TestDashboard, token: string) {
  const response = await fetch(`${at.url}/api/personal-data/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, data: JSON.parse(text).data };
}

export const submit = (at: TestDashboard, owner: Owner, identity: object) =>
  at.post('/api/kyc/submit', identity, owner.token);
export const newestReview = async (at: TestDashboard, operator: Owner) =>
  (await at.post('/api/kyc/reviews/list', { limit: 1 }, operator.token)).data.data[0];
export const decide = (
  at: TestDashboard,
  operator: Owner,
  id: string,
  decision: string,
  reason = 'looked at',
) => at.post(`/api/kyc/reviews/${id}/decide`, { decision, reason }, operator.token);
export const kycOf = async (at: TestDashboard, asker: Owner, walletAddress: string) =>
  (await at.post('/api/kyc/check', { apiKey: asker.apiKey, walletAddress })).data;

/** An owner with a bit of everything, and the words in it that are personal. */
export async function newPerson(at: TestDashboard) {
  const operator = await at.newAccount(operatorWallet);
  const owner = await at.newAccount();
  const identity = newIdentity();
  const [keyName, draftTitle, argument, no, why] = [word(), word(), word(), word(), word()];
  await submit(at, owner, identity);
  const review = await newestReview(at, operator);
  expect((await decide(at, operator, review.id, 'approve', why)).status).toBe(200);
  await at.post('/api/keys', { name: keyName }, owner.token);
  const mandateId = await at.newMandate(owner);
  const draft = await at.draftMandate(owner.token, { title: draftTitle });
  const { apiKey } = owner;
  const paid = await at.post('/api/transactions', {
    apiKey,
    ...paymentOf(owner.address, { intentMandateId: mandateId, serviceName: 'kept-books' }),
  });
  expect(paid.status).toBe(201);
  const text = JSON.stringify({ note: argument });
  const { keccak256, stringToBytes } = await import('viem');
  const asked = {
    ...askedOf(owner.address, at.clock.now, { argumentsHash: keccak256(stringToBytes(text)) }),
    arguments: text,
  };
  expect((await at.post('/api/approvals', { apiKey, ...asked })).status).toBe(200);
  const used = askedOf(owner.address, at.clock.now);
  await at.post('/api/approvals', { apiKey, ...used });
  await at.post(
    `/api/approvals/${used.approvalId}/approve`,
    { signature: signatureOf(owner.wallet, used) },
    owner.token,
  );
  expect((await at.post('/api/approvals/use', { apiKey, approvalId: used.approvalId })).status).toBe(200);
  const refused = askedOf(owner.address, at.clock.now);
  await at.post('/api/approvals', { apiKey, ...refused });
  await at.post(`/api/approvals/${refused.approvalId}/reject`, { reason: no }, owner.token);
  const words = [identity.fullName, identity.documentNumber, keyName, draftTitle, argument, no, why];
  return { operator, owner, identity, review, mandateId, draft, used, words };
}
