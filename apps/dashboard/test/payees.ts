import type { Person } from './compliance-people.ts';
import { newWallet, type TestDashboard } from './dashboard.ts';

/** What operators can do about payees, and what a gateway tells of them. */
export function payeesOf(dashboard: TestDashboard) {
  const { post, request } = dashboard;
  const facts = (addresses: readonly string[], more: object = {}) => ({
    legalName: 'Quotes & Co. KG',
    domain: 'quotes.example',
    addresses: addresses.map((address) => ({ address, networks: null })),
    links: ['https://register.example/HRB/1'],
    registryNumbers: ['HRB 1 B'],
    validUntil: '2027-11-21T12:00:00.000Z',
    ...more,
  });
  const create = (by: Person, addresses: readonly string[], more: object = {}) =>
    post('/api/payees/create', facts(addresses, more), by.token);
  return {
    facts,
    create,
    address: () => newWallet().address,
    /** A record that an operator has admitted alone: its id. */
    admitted: async (by: Person, addresses: readonly string[], more: object = {}) =>
      (await create(by, addresses, more)).data.payee.id as string,
    change: (by: Person, id: string, version: number, body: object) =>
      post(`/api/payees/${id}/change`, { ...body, version }, by.token),
    agree: (by: Person, id: string, version: number, more: object = {}) =>
      post(`/api/payees/${id}/admit`, { version, ...more }, by.token),
    withdraw: (by: Person, id: string, reason: unknown = 'It closed') =>
      post(`/api/payees/${id}/withdraw`, { reason }, by.token),
    addFile: (by: Person, id: string, more: object = {}) =>
      post(
        `/api/payees/${id}/files`,
        { name: 'register.txt', mediaType: 'text/plain', content: 'YQ==', ...more },
        by.token,
      ),
    eraseFile: (by: Person, id: string, file: string, reason = 'Names a private person') =>
      post(`/api/payees/${id}/files/${file}/erase`, { reason }, by.token),
    get: (by: Person, id: string) => request('GET', `/api/payees/${id}`, { token: by.token }),
    of: async (by: Person, address: string) =>
      (await request('GET', `/api/payees/of/${address}`, { token: by.token })).data,
    list: async (by: Person, body: object = {}) => (await post('/api/payees/list', body, by.token)).data,
    /** What the gateway is told. */
    check: async ({ apiKey }: { apiKey: string }, walletAddress: string) =>
      (await post('/api/kyc/check', { apiKey, walletAddress })).data.kycStatus,
    /** As a gateway reports that it refused to pay somebody whom nobody knows. */
    refused: ({ apiKey, address }: Person, payee: string, more: object = {}) =>
      post('/api/transactions', {
        apiKey,
        serviceName: 'quotes',
        serviceResult: 'reject',
        chain: 'base',
        amount: '0.01',
        tokenSymbol: 'USDC',
        payer: address,
        payee,
        payeeKytResult: 1,
        payeeKytRiskLevel: 0,
        metadata: { code: 'PAYEE_KYC_NOT_APPROVED', toolName: 'get_quote', serviceHost: 'quotes.example' },
        ...more,
      }),
    reviews: async (by: Person, body: object = {}) =>
      (await post('/api/payees/reviews/list', body, by.token)).data,
    turnAway: (by: Person, payee: string, reason: unknown = 'Nobody knows them') =>
      post('/api/payees/reviews/turn-away', { payee, reason }, by.token),
  };
}
