import type { Requirement } from '../requirement.ts';

/** What holds against services, agents and dashboards that mean ill; attacks by their number in `gateway/attacks`. */
export const gatewayAttackRequirements = [
  {
    id: 'gateway.attack.invisible-characters',
    source: 'attack 1',
    behaviour:
      'In what a service writes of itself, list_gateway_services shows no control, format or ignorable character but ' +
      'line break and tab.',
    status: 'tested',
  },
  {
    id: 'gateway.attack.look-alike-tools',
    source: 'attack 16',
    behaviour:
      'A tool whose name is not in compatibility form (NFKC), or mixes Latin with Greek or Cyrillic letters, is left out.',
    status: 'tested',
  },
  {
    id: 'gateway.attack.address-without-query',
    source: 'attack 22',
    behaviour: 'url in list_gateway_services has no query, which may hold a key.',
    status: 'tested',
  },
  {
    id: 'gateway.attack.heard-in-measure',
    source: 'attack 29',
    behaviour:
      'Of what a service says beside its answers 500 messages are heard at once, and 500 more each second; the rest is ' +
      'dropped.',
    status: 'tested',
  },
  {
    id: 'gateway.attack.long-price',
    source: 'attack 29',
    behaviour: 'A price of more than 128 KiB is PAYMENT_REQUIREMENT_INVALID, wherever it stands.',
    status: 'tested',
  },
  {
    id: 'gateway.attack.answer-in-place',
    source: 'attack 34',
    behaviour: 'Over Streamable HTTP an answer counts only in the response to its own request.',
    status: 'tested',
  },
  {
    id: 'gateway.attack.key-per-agent',
    source: 'attack 21',
    behaviour: 'The same idempotencyKey of two agents (tokens of two names) names two calls.',
    status: 'tested',
  },
  {
    id: 'gateway.attack.key-pays-once',
    source: 'attack 9',
    behaviour:
      'A key under which a payment has left gives IDEMPOTENCY_CONFLICT for every other call, also while the outcome is ' +
      'unknown; of several calls at once with one key at most one pays.',
    status: 'tested',
  },
  {
    id: 'gateway.attack.approval-per-agent',
    source: 'attack 18, attack 21',
    behaviour:
      'An approval serves only the agent that was given the challenge: PAYMENT_PAYLOAD_INVALID for others.',
    status: 'tested',
  },
  {
    id: 'gateway.attack.trust-by-fixed-id',
    source: 'attack 6, attack 16',
    behaviour:
      'CART_MANDATE_MISSING_POLICY that asks less of one service than of others is a configuration error, unless ' +
      'DOWNSTREAM_MCP_URLS fixes its id.',
    status: 'tested',
  },
  {
    id: 'gateway.attack.forgetful-dashboard',
    source: 'attack 37',
    behaviour:
      'What a gateway has paid for a mandate, and this payment, stay within the total that the owner signed, also when ' +
      'the dashboard says that nothing was used.',
    status: 'tested',
  },
  {
    id: 'gateway.attack.doubt-without-chain',
    source: 'attack 9, attack 25',
    behaviour:
      'Without EVM_RPC_URL a payment of unknown outcome keeps its share of the budget, and its key signs no second one.',
    status: 'tested',
  },
  {
    id: 'gateway.attack.stolen-environment',
    source: 'decision 0029; issue 18.1',
    behaviour:
      'Whoever has the whole environment of a gateway with an agent wallet cannot log in, make a key, sign, raise, change or ' +
      'revoke a mandate, lift a pause, approve, name another agent, take back a revocation, or become its owner.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
