import { onTestFinished } from 'vitest';
import { Client } from 'pg';
import { newWallet, type TestDashboard } from './dashboard.ts';

export type Person = Awaited<ReturnType<TestDashboard['newAccount']>>;

export const identity = {
  fullName: 'Ada Lovelace',
  country: 'GB',
  documentType: 'passport',
  documentNumber: 'X 1',
};

/** Wallets of three operators, for `operators` of a dashboard. */
export const threeOperators = () => [newWallet(), newWallet(), newWallet()] as const;

/** What operators and the people that they decide about can do. */
export function complianceOf(dashboard: TestDashboard) {
  const { post } = dashboard;
  const handIn = (person: Person) => post('/api/kyc/submit', identity, person.token);
  const reviewsOf = async (operator: Person, person: Person) => {
    const { data } = await post('/api/kyc/reviews/list', { limit: 100 }, operator.token);
    return data.data.filter(({ accountId }: { accountId: string }) => accountId === person.account.id);
  };
  const decide = (operator: Person, id: string, decision: 'approve' | 'reject', reason?: string) =>
    post(`/api/kyc/reviews/${id}/decide`, { decision, reason }, operator.token);

  return {
    handIn,
    decide,
    /** Newest first. */
    reviewsOf,
    /** Somebody new who has handed in: with the id of the submission. */
    async waiting(operator: Person) {
      const person = await dashboard.newAccount();
      await handIn(person);
      const [{ id }] = await reviewsOf(operator, person);
      return { person, id: id as string };
    },
    /** Somebody new whom this operator has approved. */
    async approved(operator: Person) {
      const person = await dashboard.newAccount();
      await handIn(person);
      const [{ id }] = await reviewsOf(operator, person);
      await decide(operator, id, 'approve');
      return person;
    },
    withdraw: (
      operator: Person,
      { address }: { address: string },
      reason: unknown = 'The passport is forged',
    ) => post('/api/kyc/withdraw', { walletAddress: address, reason }, operator.token),
    restore: (operator: Person, { address }: { address: string }, reason = 'It was another Ada') =>
      post('/api/kyc/restore', { walletAddress: address, reason }, operator.token),
    retract: (operator: Person, deed: string, subject: string) =>
      post('/api/compliance/first-words/retract', { deed, subject }, operator.token),
    deny: (operator: Person, address: string, verb: 'add' | 'remove') =>
      post(`/api/compliance/deny-list/${verb}`, { address, reason: `${verb} it` }, operator.token),
    /** What the gateway is told. */
    check: async (person: Person) =>
      (await post('/api/kyc/check', { apiKey: person.apiKey, walletAddress: person.address })).data.kycStatus,
    own: async (person: Person) =>
      (await dashboard.request('GET', '/api/kyc/status', { token: person.token })).data,
    /** Newest first. */
    history: async (operator: Person, body: object = {}) =>
      (await post('/api/compliance/history/list', body, operator.token)).data.data,
  };
}

/** A connection to the database of a dashboard, closed after the running test. */
export async function databaseOf({ config }: TestDashboard): Promise<Client> {
  const client = new Client({ connectionString: config.storage.kind === 'given' ? config.storage.url : '' });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
