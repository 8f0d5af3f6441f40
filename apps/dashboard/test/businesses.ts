import { addressText } from '@countersign/protocol/address';
import { type PayeeClaim, payeeClaimTypedData } from '@countersign/protocol/dashboard/payee-claim';
import { type Person, threeOperators } from './compliance-people.ts';
import { openDashboard, openDashboardForTest, type TestDashboard, type Wallet } from './dashboard.ts';
import { fakeDomains } from './payee-domains.ts';
import { payeesOf } from './payees.ts';

export const dayMs = 86_400_000;
export const repeated = { status: 409, code: 80000003 };
export const notAllowed = { status: 403, code: 80000004 };

export type Businesses = Awaited<ReturnType<typeof openBusinesses>>;

/** A dashboard with operators, somebody who pays, and what a business and an operator do about its record. */
export async function openBusinesses() {
  const wallets = threeOperators();
  const operators = new Set(wallets.map(({ address }) => address));
  const domains = fakeDomains();
  const dashboard = await openDashboard({ operators }, { fetchPublic: domains.fetchPublic });
  const operator = await dashboard.newAccount(wallets[0]);
  const payer = await dashboard.newAccount();
  const fourEyes = () =>
    openDashboardForTest(
      { operators, review: { validDays: 365, fourEyes: true } },
      { fetchPublic: domains.fetchPublic },
    );
  return {
    ...deedsOf(dashboard),
    wallets,
    operators,
    domains,
    dashboard,
    operator,
    payer,
    fourEyes,
    payees: payeesOf(dashboard),
  };
}

function deedsOf(dashboard: TestDashboard) {
  const validUntil = () => new Date(dashboard.clock.now.getTime() + 365 * dayMs).toISOString();

  const factsOf = (person: Person, more: object = {}) => ({
    legalName: 'Larkfield Ltd',
    domain: 'larkfield.example',
    addresses: [{ address: person.address, networks: null }] as object[],
    links: ['https://register.example/1'],
    registryNumbers: ['HRB 7'],
    ...more,
  });
  const submit = (person: Person, more: object = {}, at = dashboard) =>
    at.post('/api/business/submit', factsOf(person, more), person.token);
  const own = async (person: Person, at = dashboard) =>
    (await at.request('GET', '/api/business', { token: person.token })).data.business;
  const decide = (by: Person, id: string, body: object, at = dashboard) =>
    at.post(`/api/business/submissions/${id}/decide`, body, by.token);
  /** `version`: of the record that it changes, as the operator has read it. */
  const admit = (by: Person, id: string, at = dashboard, version?: number) =>
    decide(
      by,
      id,
      { decision: 'admit', validUntil: validUntil(), ...(version !== undefined && { version }) },
      at,
    );
  const addFile = (person: Person, more: object = {}) =>
    dashboard.post(
      '/api/business/files',
      { name: 'register.txt', mediaType: 'text/plain', content: 'YQ==', ...more },
      person.token,
    );
  const waiting = async (person: Person, more: object = {}) =>
    (await submit(person, more)).data.business.id as string;

  /** A payout address of somebody, and what its wallet signs so that this account may submit it. */
  function claimed(wallet: Wallet, account: string, more: Partial<PayeeClaim> = {}) {
    const issuedAt = dashboard.clock.now.toISOString();
    const address = addressText.parse(wallet.address);
    const message = {
      account: addressText.parse(account),
      address,
      domain: 'larkfield.example',
      issuedAt,
      ...more,
    };
    const signature = wallet.signTypedData(payeeClaimTypedData(message));
    return { address: wallet.address, networks: null, claim: { issuedAt: message.issuedAt, signature } };
  }
  return { validUntil, factsOf, submit, own, decide, admit, addFile, waiting, claimed };
}
