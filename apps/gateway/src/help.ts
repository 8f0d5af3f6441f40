/** What `countersign gateway --help` prints. */
export const help = `countersign gateway [--http]

An MCP server with two tools, list_gateway_services and call_service_tool, in front of paid MCP services.
It speaks MCP on stdio; with --http, Streamable HTTP at http://127.0.0.1:4020/mcp.

Needed
  EVM_PRIVATE_KEY                wallet that pays; 0x and 64 hex digits
  DOWNSTREAM_MCP_URLS            services, comma-separated; an entry may be id=url
  COMPLIANCE_BASE_URL            dashboard; without it every payment is refused
  COMPLIANCE_API_KEY             API key of the dashboard; without it every payment is refused

Services
  DOWNSTREAM_MCP_TRANSPORT       auto, sse or streamable-http                       auto
  DOWNSTREAM_CONNECT_RETRIES     1 to 10                                            3
  DOWNSTREAM_MCP_HEADERS         JSON: {"id": {"header": "value"}}; id as in id=url none
  DOWNSTREAM_TIMEOUT_MS          one unpaid call                                    30000
  PAYMENT_TIMEOUT_MS             one paid call, settlement included                 120000

Payments
  PAYMENT_NETWORKS               CAIP-2, comma-separated                            eip155:8453
  PAYMENT_ASSETS                 network/address, comma-separated                   USDC of the networks
  PAYMENT_MAX_AMOUNT             cap of one payment, decimal                        100
  PAYMENT_MAX_VALIDITY_SECONDS   cap of the time to settle, 10 to 3600              600
  CART_POLICY                    of a service without a signed cart: budget (held
                                 against the mandate), skip, challenge or require;
                                 service=policy pairs                               budget
  CART_MANDATE_MISSING_POLICY    its earlier name: skip, challenge or reject        none
  PAYMENT_UNMANDATED_MAX_AMOUNT  cap of a payment that no mandate covers            1
  PAYMENT_UNMANDATED_DAILY       cap of all of them in a day (UTC)                  10
  APPROVER_ADDRESSES             may approve beside the owner, comma-separated      none
  APPROVAL_ARGUMENTS             what the owner sees of a call: send, or hash alone send
  EVM_RPC_URL                    JSON-RPC; without it a doubtful payment is spent   none

Screening
  COMPLIANCE_CHAIN               chain of KYT look-ups                              base
  COMPLIANCE_TIMEOUT_MS          one dashboard call                                 5000

Process
  GATEWAY_HOST, GATEWAY_PORT     where --http listens                               127.0.0.1, 4020
  GATEWAY_AUTH_TOKENS            name:token pairs; needed beyond loopback           none
  GATEWAY_STATE_DIR              journal, reservations, outbox, receipts            .countersign/gateway
  GATEWAY_DATABASE_URL           PostgreSQL, to share them among machines           none
  TOOL_PINNING                   off: tools that changed since accepted are called  on
  LOG_LEVEL                      debug, info, warn or error                         info
  OTEL_EXPORTER_OTLP_ENDPOINT    collector of OpenTelemetry traces (OTLP over HTTP) none
`;
