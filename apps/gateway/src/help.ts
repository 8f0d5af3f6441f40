/** The output of `countersign gateway --help`. */
export const help = `countersign gateway [--http] [--variables]

An MCP server with two tools, list_gateway_services and call_service_tool, in front of paid MCP and
HTTP services. It speaks MCP on stdio; with --http, Streamable HTTP at http://127.0.0.1:4020/mcp.

Needed
  EVM_PRIVATE_KEY                wallet that pays; 0x and 64 hex digits
  DOWNSTREAM_MCP_URLS            MCP services, comma-separated; an entry may be id=url;
                                 may be unset with HTTP_SERVICES
  COMPLIANCE_BASE_URL            dashboard; without it every payment is refused
  COMPLIANCE_API_KEY             API key of the dashboard; without it every payment is refused

Usually set
  HTTP_SERVICES                  services without MCP, as JSON
  CART_POLICY                    how to treat a service without a signed cart        budget
  PAYMENT_NETWORKS               CAIP-2, comma-separated                             eip155:8453
  PAYMENT_MAX_AMOUNT             cap of one payment, decimal                         100
  OWNER_ADDRESS                  owner of the wallet, who signs mandates             the wallet
  EVM_RPC_URL                    JSON-RPC; else unclear payments count as spent      none
  GATEWAY_HOST, GATEWAY_PORT     where --http listens                                127.0.0.1, 4020
  GATEWAY_AUTH_TOKENS            name:token pairs; needed beyond loopback            none

"countersign gateway --variables" lists all of them.

Examples:
  EVM_PRIVATE_KEY=0x… DOWNSTREAM_MCP_URLS=quotes=https://quotes.example/mcp \\
    COMPLIANCE_BASE_URL=https://dashboard.example COMPLIANCE_API_KEY=csk_… countersign gateway
  EVM_PRIVATE_KEY=0x… COMPLIANCE_BASE_URL=https://dashboard.example COMPLIANCE_API_KEY=csk_… \\
    HTTP_SERVICES='{"weather": {"openapi": "https://api.example.com/openapi.json"}}' \\
    countersign gateway --http
`;

/** The output of `countersign gateway --variables`. */
export const allVariables = `Needed
  EVM_PRIVATE_KEY                wallet that pays; 0x and 64 hex digits
  DOWNSTREAM_MCP_URLS            MCP services, comma-separated; an entry may be id=url;
                                 may be unset with HTTP_SERVICES
  COMPLIANCE_BASE_URL            dashboard; without it every payment is refused
  COMPLIANCE_API_KEY             API key of the dashboard; without it every payment is refused

Services
  HTTP_SERVICES                  JSON: {"id": {"openapi": URL}} or
                                 {"id": {"endpoint": URL, "method": "POST"}}, an
                                 x402 endpoint; each may have "credential", an id of
                                 the vault, and "headers" with {{CREDENTIAL.key}}   none
  VAULT_URL                      vault through which those services are called; needed
                                 if one has a credential                            none
  VAULT_TOKEN                    its token, with scope credential:send              none
  DOWNSTREAM_MCP_TRANSPORT       auto, sse or streamable-http                       auto
  DOWNSTREAM_CONNECT_RETRIES     1 to 10                                            3
  DOWNSTREAM_MCP_HEADERS         JSON: {"id": {"header": "value"}}; id as in id=url none
  DISCOVERY_URLS                 x402 catalogues ("bazaar") of facilitators and MCP
                                 registries (…/v0/servers) for prices and suggestions
                                 of further services, comma-separated               none
  DOWNSTREAM_TIMEOUT_MS          one unpaid call                                    30000
  PAYMENT_TIMEOUT_MS             one paid call, settlement included                 120000

Payments
  PAYMENT_NETWORKS               CAIP-2, comma-separated                            eip155:8453
  PAYMENT_ASSETS                 network/address, comma-separated                   USDC on each
  PAYMENT_MAX_AMOUNT             cap of one payment, decimal                        100
  PAYMENT_SCHEMES                exact, plus any of permit2 (exact by Permit2) and upto (up
                                 to a maximum; what the chain shows counts as spent),
                                 which need EVM_RPC_URL; for HTTP services also mpp (MPP
                                 challenges, method evm) and sign-in-with-x (sign in for
                                 what was already paid)                             exact
  PAYMENT_MAX_VALIDITY_SECONDS   cap of the time to settle, 10 to 3600              600
  CART_POLICY                    for a service without a signed cart or offer: budget (held
                                 against the mandate), skip, challenge or require;
                                 service=policy pairs                               budget
  CART_MANDATE_MISSING_POLICY    its earlier name: skip, challenge or reject        none
  OFFER_SIGNERS                  keys besides the payee's that may sign a service's x402
                                 offers: service=0x… or service=did:key:z… pairs     none
  OFFER_ORIGINS                  origins besides its own that an HTTP service's x402
                                 offers may name: service=https://… pairs            none
  PAYMENT_UNMANDATED_MAX_AMOUNT  cap of a payment that no mandate covers            1
  PAYMENT_UNMANDATED_DAILY       cap of all of them in a day (UTC)                  10
  OWNER_ADDRESS                  owner of the wallet: EVM_PRIVATE_KEY then only pays,
                                 and the owner signs mandates and approvals         the wallet
  APPROVER_ADDRESSES             may approve as well as the owner, comma-separated  none
  APPROVAL_ARGUMENTS             what the owner sees of a call: send (all) or hash  send
  EVM_RPC_URL                    JSON-RPC; else unclear payments count as spent     none

Screening
  COMPLIANCE_CHAIN               chain of KYT lookups                               base
  COMPLIANCE_TIMEOUT_MS          one dashboard call                                 5000

Process
  GATEWAY_HOST, GATEWAY_PORT     where --http listens                               127.0.0.1, 4020
  GATEWAY_AUTH_TOKENS            name:token pairs; needed beyond loopback           none
  GATEWAY_PUBLIC_URL             where clients reach the gateway: with OAUTH_ISSUER
                                 they connect by OAuth at its /mcp                  none
  OAUTH_ISSUER                   public URL of the dashboard, which asks the owner  none
  GATEWAY_STATE_DIR              journal, reservations, outbox and receipts,
                                 by default in .countersign/gateway
  GATEWAY_DATABASE_URL           PostgreSQL, to share them among machines           none
  TOOL_PINNING                   off: call tools that changed since their acceptance on
  LOG_LEVEL                      debug, info, warn or error                         info
  OTEL_EXPORTER_OTLP_ENDPOINT    collector of OpenTelemetry traces (OTLP over HTTP) none
`;
