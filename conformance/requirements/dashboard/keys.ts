import type { Requirement } from '../requirement.ts';

/** What an API key may do, for which agent, and until when. */
export const dashboardKeyRequirements = [
  {
    id: 'dashboard.key.scopes',
    source: 'issue 18, 3',
    behaviour:
      'POST /api/keys {name, scopes} makes a key with these scopes. Each endpoint that takes a key needs exactly one: ' +
      'accounts:read, agents:announce, approvals:read, approvals:request, connections:read, mandates:hold, mandates:read, report, ' +
      'screening:read or transactions:read.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.scopes.refused',
    source: 'issue 18, 3',
    behaviour:
      'A key that lacks the scope of an endpoint is 403, 80000004; msg and data.missingScope name the scope, and nothing is done.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.unscoped',
    source: 'issue 18, 3; document 2, Authentication 1',
    behaviour:
      'A key that was made without scopes has scopes null and does all that keys did before: everything but transactions:read.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.reach',
    source: 'issue 18, 3',
    behaviour:
      'The answers to create, list and roll also have scopes, agentWallet and expiresAt of the key. scopes that are none, ' +
      'empty or repeated, validDays beyond 1 to 365, and transactions:read with agentWallet are 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.agent',
    source: 'issue 18, 3; decision 0029',
    behaviour:
      'A key with agentWallet speaks for that agent alone. About another wallet of the account vc, report, announce and a ' +
      'new approval are 403, 80000004; its mandates, holds and approvals, by id, are answered as if they did not exist.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.agent.report',
    source: 'issue 18, 3; decision 0029',
    behaviour:
      'What a key with agentWallet reports charges that agent’s mandates alone, and does not keep another agent’s payment ' +
      'of the same hash or trace from being recorded; a payment of that agent is recorded once, with whatever keys.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.agent.ends',
    source: 'issue 18, 3',
    behaviour:
      'agentWallet must be an agent of the account that is neither revoked nor expired (404, 80000011 otherwise); revoking the agent ' +
      'revokes the key.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.agent.expiry',
    source: 'issue 18, 3; decision 0029',
    behaviour:
      'A key with agentWallet ends for good when the terms of its agent run out: from then on it is 401, 80000040, with a msg ' +
      'that says so, is listed as revoked at that time, cannot be rolled (409, 80000003), and stays ended under new terms.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.guesses',
    source: 'issue 18, 3',
    behaviour:
      'A key that was good when it was last looked up waits for no lookup of keys that were not, however many come; what does ' +
      'not have the form of a key is refused without a lookup.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.expiry',
    source: 'issue 18, 3',
    behaviour:
      'With validDays a key expires; from then on it is 401, 80000040, with a msg that says when it expired and to roll it.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.roll.same',
    source: 'issue 18, 3',
    behaviour:
      'A rolled key’s successor has its scopes and agentWallet, and is valid for as long as it was made for.',
    status: 'tested',
  },
  {
    id: 'dashboard.key.accountant',
    source: 'issue 18, 3',
    behaviour:
      'With transactions:read, an API key as bearer token reads GET /api/transactions and /api/transactions/sums of its own ' +
      'account, as CSV too, and nothing else; never scope=all. Any other key is 403, 80000004, there.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.sums',
    source: 'issue 18, 3',
    behaviour:
      'GET /api/transactions/sums {scope, by, startDate, endDate, chain?, format?} answers data {data: [{month, wallet, ' +
      'counterparty, tokenSymbol, transactions, amount, atomicAmount}]}: exact sums of passing transactions that count, for ' +
      'each token and for what by names; amounts are strings, atomicAmount that of USDC alone.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.sums.csv',
    source: 'issue 18, 3',
    behaviour: 'With format=csv sums download as CSV in which no text is taken for a formula.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.sums.range',
    source: 'issue 18, 3',
    behaviour:
      'startDate and endDate are required, in order and at most 366 days apart; otherwise, and for more than 10000 sums, it ' +
      'is 400, 80000012; a missing one is 80000002.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.stop',
    source: 'issue 18, 3',
    behaviour:
      'revoke ends an agent, its active mandate, the keys that are for it alone and the connections of its clients in one ' +
      'transaction; stop of the agent is {at, mandates, keys, connections}, the ids of what that ended, and stays as it was first recorded.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.activity',
    source: 'issue 18, 3',
    behaviour:
      'activity of an agent is {lastSeenAt, days, spent, payments, refused}: what counts for its wallet as payer in the last ' +
      '30 days, and when it last reported or a key of its own was used.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.announced-by',
    source: 'issue 18, 3',
    behaviour:
      'announcedBy of an agent is {id, name, prefix} of the API key with which it was first announced; null where that is ' +
      'not known or the key is deleted.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.keys.reach',
    source: 'issue 18, 3',
    behaviour:
      'A new key is for a gateway (of one agent, where the owner has agents), an accountant, or everything; lists say what ' +
      'each may do and for whom. A key that reaches every agent’s budget is warned of before it is made.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.keys.expiry',
    source: 'issue 18, 3',
    behaviour:
      'Of a key that ends within 14 days, or ended in the last 7, the overview and the keys’ page warn until it is rolled.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.agents.stop-all',
    source: 'issue 18, 3',
    behaviour:
      'An agent’s page shows its keys, when it was last seen, what it spent and what was refused to it. Stopping it says ' +
      'before that its keys end, and after what the act ended.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
