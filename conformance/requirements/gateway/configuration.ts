import type { Requirement } from '../requirement.ts';

/** Where the gateway listens, how it connects, and every variable that it reads. */
export const gatewayConfigurationRequirements = [
  {
    id: 'gateway.stdio.speaks-mcp',
    source: 'page 1, Where it listens',
    behaviour: 'countersign gateway speaks MCP on stdin and stdout.',
    status: 'tested',
  },
  {
    id: 'gateway.stdio.clean-stdout',
    source: 'page 1, Where it listens',
    behaviour: 'On stdio, stdout carries nothing but JSON-RPC messages; logs go to stderr.',
    status: 'tested',
  },
  {
    id: 'gateway.stdio.ends-with-stdin',
    source: 'page 1, Where it listens',
    behaviour: 'On stdio, the process ends when stdin closes.',
    status: 'tested',
  },
  {
    id: 'gateway.http.endpoint',
    source: 'page 1, Where it listens',
    behaviour: 'countersign gateway --http speaks Streamable HTTP at http://127.0.0.1:4020/mcp.',
    status: 'tested',
  },
  {
    id: 'gateway.http.host-and-port',
    source: 'page 1, Where it listens',
    behaviour: 'GATEWAY_HOST and GATEWAY_PORT set where countersign gateway --http listens.',
    status: 'tested',
  },
  {
    id: 'gateway.http.host-header',
    source: 'page 1, Where it listens',
    behaviour: 'An HTTP request with a foreign Host header is refused (DNS rebinding).',
    status: 'tested',
  },
  {
    id: 'gateway.http.origin-header',
    source: 'page 1, Where it listens',
    behaviour: 'An HTTP request with a foreign Origin header is refused (DNS rebinding).',
    status: 'tested',
  },
  {
    id: 'gateway.http.official-scenarios',
    source: 'page 1, Where it listens',
    behaviour:
      'The official MCP conformance suite finds no fault in the gateway with any scenario for a server that has ' +
      'tools only.',
    status: 'tested',
  },
  {
    id: 'gateway.http.protocol-versions',
    source: 'page 1, Where it listens',
    behaviour:
      'Clients of MCP 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28 all initialize and call both tools.',
    status: 'tested',
  },
  {
    id: 'gateway.auth.bearer-required',
    source: 'page 1, Where it listens',
    behaviour:
      'With GATEWAY_AUTH_TOKENS set, an HTTP request without a known bearer token is answered 401 with ' +
      'WWW-Authenticate.',
    status: 'tested',
  },
  {
    id: 'gateway.auth.health-open',
    source: 'page 1, Where it listens',
    behaviour:
      'With GATEWAY_AUTH_TOKENS set, GET /health answers without a token; every other path needs one.',
    status: 'tested',
  },
  {
    id: 'gateway.auth.agent-name',
    source: 'page 1, Where it listens',
    behaviour: 'The name of the name:token pair an agent used stands in the logs and records of its calls.',
    status: 'tested',
  },
  {
    id: 'gateway.auth.open-only-on-loopback',
    source: 'page 1, Where it listens',
    behaviour:
      'Without GATEWAY_AUTH_TOKENS, a GATEWAY_HOST other than loopback is a configuration error: exit code ' +
      '2.',
    status: 'tested',
  },
  {
    id: 'gateway.health.liveness',
    source: 'page 1, Where it listens',
    behaviour:
      'GET /health answers 200 while the process lives, whatever the state of downstreams and dashboard.',
    status: 'tested',
  },
  {
    id: 'gateway.health.readiness',
    source: 'page 1, Where it listens',
    behaviour: 'GET /ready tells the state of each downstream service and of the dashboard.',
    status: 'tested',
  },
  {
    id: 'gateway.health.metrics',
    source: 'page 1, Where it listens',
    behaviour: 'GET /metrics answers Prometheus text.',
    status: 'tested',
  },
  {
    id: 'gateway.start.without-compliance',
    source: 'page 1, Where it listens; document 1, What the service does 8',
    behaviour: 'Without COMPLIANCE_BASE_URL or COMPLIANCE_API_KEY the gateway starts and free tools work.',
    status: 'tested',
  },
  {
    id: 'gateway.config.evm-private-key',
    source: 'document 1, Configuration; document 1, Authentication 2',
    behaviour:
      'EVM_PRIVATE_KEY is required and must start with 0x; missing or without 0x: exit code 2. The wallet ' +
      'of that key is the payer.',
    status: 'tested',
  },
  {
    id: 'gateway.config.downstream-mcp-urls',
    source: 'document 1, Configuration',
    behaviour:
      'DOWNSTREAM_MCP_URLS is required: comma-separated URLs, each one service; missing: exit code 2.',
    status: 'tested',
  },
  {
    id: 'gateway.config.downstream-mcp-urls.fixed-id',
    source: 'page 1, Further configuration',
    behaviour: 'An entry id=url of DOWNSTREAM_MCP_URLS fixes the serviceId of that service to id.',
    status: 'tested',
  },
  {
    id: 'gateway.config.downstream-mcp-urls.derived-id',
    source: 'page 1, Further configuration',
    behaviour:
      'Without id= the serviceId is serverInfo.name made a slug; a second service of that name gets the ' +
      'suffix -2.',
    status: 'tested',
  },
  {
    id: 'gateway.config.compliance-base-url',
    source: 'document 1, Configuration',
    behaviour:
      'COMPLIANCE_BASE_URL is the base address of every dashboard call; without it every payment is refused.',
    status: 'tested',
  },
  {
    id: 'gateway.config.compliance-api-key',
    source: 'document 1, Configuration',
    behaviour: 'COMPLIANCE_API_KEY is the key of every dashboard call; without it every payment is refused.',
    status: 'tested',
  },
  {
    id: 'gateway.config.compliance-chain',
    source: 'document 1, Configuration',
    behaviour: 'COMPLIANCE_CHAIN is sent as chain of every KYT query; base if unset.',
    status: 'tested',
  },
  {
    id: 'gateway.config.downstream-mcp-transport',
    source: 'document 1, Configuration',
    behaviour:
      'DOWNSTREAM_MCP_TRANSPORT is auto, sse or streamable-http, auto if unset; any other value: exit code ' +
      '2.',
    status: 'tested',
  },
  {
    id: 'gateway.config.downstream-connect-retries',
    source: 'document 1, Configuration; document 1, Limits 1',
    behaviour:
      'DOWNSTREAM_CONNECT_RETRIES is an integer from 1 to 10, 3 if unset; 0, 11, 1.5 or text: exit code 2.',
    status: 'tested',
  },
  {
    id: 'gateway.config.downstream-mcp-headers',
    source: 'page 1, Further configuration',
    behaviour:
      'DOWNSTREAM_MCP_HEADERS, a JSON object of serviceId to headers, is sent to that service and to no ' +
      'other.',
    status: 'tested',
  },
  {
    id: 'gateway.config.discovery-urls',
    source: 'issue 15, 15; issue 19, 4',
    behaviour:
      'DISCOVERY_URLS names facilitators by http or https, with or without /discovery/resources at the end, and MCP registries ' +
      'by their list of servers; if unset no catalogue is read.',
    status: 'tested',
  },
  {
    id: 'gateway.config.downstream-timeout-ms',
    source: 'page 1, Further configuration',
    behaviour:
      'An unpaid downstream call that takes longer than DOWNSTREAM_TIMEOUT_MS (30000 if unset) ends with ' +
      'DOWNSTREAM_TIMEOUT.',
    status: 'tested',
  },
  {
    id: 'gateway.config.payment-timeout-ms',
    source: 'page 1, Further configuration',
    behaviour:
      'A paid downstream call, settlement included, that takes longer than PAYMENT_TIMEOUT_MS (120000 if ' +
      'unset) ends with PAYMENT_OUTCOME_UNKNOWN.',
    status: 'tested',
  },
  {
    id: 'gateway.config.compliance-timeout-ms',
    source: 'page 1, Further configuration',
    behaviour:
      'A dashboard call that takes longer than COMPLIANCE_TIMEOUT_MS (5000 if unset) counts as failed.',
    status: 'tested',
  },
  {
    id: 'gateway.config.payment-networks',
    source: 'page 1, Further configuration',
    behaviour:
      'Only networks in PAYMENT_NETWORKS (CAIP-2, comma-separated; eip155:8453 if unset) are paid on; ' +
      'another gives PAYMENT_UNSUPPORTED.',
    status: 'tested',
  },
  {
    id: 'gateway.config.payment-assets',
    source: 'page 1, Further configuration',
    behaviour:
      'Only tokens in PAYMENT_ASSETS (network/address; USDC of the allowed networks if unset) are paid ' +
      'with; another gives PAYMENT_UNSUPPORTED.',
    status: 'tested',
  },
  {
    id: 'gateway.config.payment-max-amount',
    source: 'page 1, Further configuration',
    behaviour:
      'An amount above PAYMENT_MAX_AMOUNT (decimal, 100 if unset) gives PAYMENT_UNSUPPORTED, with or ' +
      'without a cart mandate.',
    status: 'tested',
  },
  {
    id: 'gateway.config.payment-max-validity-seconds',
    source: 'page 1, Further configuration',
    behaviour:
      'A maxTimeoutSeconds above PAYMENT_MAX_VALIDITY_SECONDS (600 if unset) or below 10 gives ' +
      'PAYMENT_UNSUPPORTED.',
    status: 'tested',
  },
  {
    id: 'gateway.config.cart-mandate-missing-policy',
    source: 'page 1, Further configuration; document 1, CartMandate 3',
    behaviour:
      'CART_MANDATE_MISSING_POLICY, the earlier name of CART_POLICY, is skip, challenge or reject; anything else, and ' +
      'both names at once: exit code 2.',
    status: 'tested',
  },
  {
    id: 'gateway.config.cart-policy',
    source: 'page 1, Further configuration; decision 0018',
    behaviour:
      'CART_POLICY is budget, skip, challenge or require, and service=policy pairs; budget if unset; anything else: ' +
      'exit code 2.',
    status: 'tested',
  },
  {
    id: 'gateway.config.payment-unmandated-daily',
    source: 'page 1, Further configuration; decision 0018',
    behaviour:
      'All payments of a UTC day that neither a mandate nor the owner’s approval covers stay within ' +
      'PAYMENT_UNMANDATED_DAILY (10 if unset), also of calls at once: above it PAYMENT_UNSUPPORTED.',
    status: 'tested',
  },
  {
    id: 'gateway.config.cart-mandate-missing-policy.challenge',
    source: 'page 1, Further configuration',
    behaviour:
      'With policy challenge, a price without a cart mandate gives WALLET_APPROVAL_REQUIRED and nothing is ' +
      'paid.',
    status: 'tested',
  },
  {
    id: 'gateway.config.cart-mandate-missing-policy.reject',
    source: 'page 1, Further configuration',
    behaviour: 'With policy reject, a price without a cart mandate gives PAYMENT_UNSUPPORTED.',
    status: 'tested',
  },
  {
    id: 'gateway.config.cart-mandate-missing-policy.per-service',
    source: 'page 1, Further configuration',
    behaviour:
      'In skip,shop=challenge,other=reject the pairs override the first value for the services shop and ' +
      'other.',
    status: 'tested',
  },
  {
    id: 'gateway.config.payment-unmandated-max-amount',
    source: 'page 1, Further configuration',
    behaviour:
      'Where no mandate applies, an amount above PAYMENT_UNMANDATED_MAX_AMOUNT (1 if unset) gives ' +
      'PAYMENT_UNSUPPORTED.',
    status: 'tested',
  },
  {
    id: 'gateway.config.evm-rpc-url',
    source: 'page 1, Further configuration',
    behaviour: 'EVM_RPC_URL is optional; with it the gateway settles payments of unknown outcome on chain.',
    status: 'tested',
  },
  {
    id: 'gateway.config.gateway-state-dir',
    source: 'page 1, Further configuration',
    behaviour:
      'Payment journal, reservations, outbox and approvals live in GATEWAY_STATE_DIR (.countersign/gateway ' +
      'if unset) and survive a restart.',
    status: 'tested',
  },
  {
    id: 'gateway.config.gateway-database-url',
    source: 'page 1, Further configuration',
    behaviour:
      'With GATEWAY_DATABASE_URL gateways on several machines share journal, outbox and approvals in ' +
      'PostgreSQL.',
    status: 'tested',
  },
  {
    id: 'gateway.config.tool-pinning',
    source: 'page 1, Envelope codes',
    behaviour: 'TOOL_PINNING=off switches the check for changed tool definitions off.',
    status: 'tested',
  },
  {
    id: 'gateway.config.approver-addresses',
    source: 'page 1, Phase 2',
    behaviour: 'Signatures of the wallets in APPROVER_ADDRESSES approve a challenge like the owner.',
    status: 'tested',
  },
  {
    id: 'gateway.downstream.auto',
    source: 'document 1, What the service does 5',
    behaviour:
      'With transport auto a service is tried over streamable HTTP first and, when that fails, over SSE; a ' +
      'service with SSE only is connected.',
    status: 'tested',
  },
  {
    id: 'gateway.downstream.fixed-transport',
    source: 'document 1, Configuration',
    behaviour: 'With transport sse only SSE is tried; with streamable-http SSE is never tried.',
    status: 'tested',
  },
  {
    id: 'gateway.downstream.retries',
    source: 'document 1, What the service does 5',
    behaviour:
      'A service that refuses connections is tried DOWNSTREAM_CONNECT_RETRIES times before it counts as ' +
      'unavailable.',
    status: 'tested',
  },
  {
    id: 'gateway.downstream.no-automatic-payment',
    source: 'document 1, What the service does 4',
    behaviour:
      'No downstream client pays by itself: a payment payload leaves only after the checks of the gateway.',
    status: 'tested',
  },
  {
    id: 'gateway.downstream.one-client-each',
    source: 'document 1, What the service does 4',
    behaviour:
      'Each downstream service has a client of its own; headers, sessions and failures of one never reach ' +
      'another.',
    status: 'tested',
  },
  {
    id: 'gateway.config.state-folder',
    source: 'document 1, What the service does 4',
    behaviour: 'Where its state folder cannot be made, below /proc too, the gateway says so and ends.',
    status: 'tested',
  },
  {
    id: 'gateway.config.owner-address',
    source: 'decision 0029',
    behaviour:
      'OWNER_ADDRESS must be an address other than the wallet of EVM_PRIVATE_KEY, which then may not be in APPROVER_ADDRESSES; ' +
      'unset, that wallet is its owner’s.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
