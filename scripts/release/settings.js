// What a person is asked who installs the gateway into a desktop client: the same in the bundle's form and in server.json.

/** `key` names the field of the form. A gateway starts with those that are required. */
export const settings = [
  {
    key: 'private_key',
    variable: 'EVM_PRIVATE_KEY',
    title: 'Private key of the agent’s wallet',
    description:
      'It pays: 0x and 64 hex digits, as "countersign wallet new" makes one. Keep little in that wallet.',
    required: true,
    secret: true,
  },
  {
    key: 'services',
    variable: 'DOWNSTREAM_MCP_URLS',
    title: 'Paid MCP services',
    description: 'Comma-separated, each as id=url, such as quotes=https://quotes.example/mcp',
    required: true,
    secret: false,
  },
  {
    key: 'dashboard_url',
    variable: 'COMPLIANCE_BASE_URL',
    title: 'Dashboard',
    description: 'Address of the dashboard with your mandate; without it every payment is refused.',
    required: false,
    secret: false,
  },
  {
    key: 'api_key',
    variable: 'COMPLIANCE_API_KEY',
    title: 'API key',
    description: 'From the dashboard’s console, under “API keys”; without it every payment is refused.',
    required: false,
    secret: true,
  },
  {
    key: 'owner',
    variable: 'OWNER_ADDRESS',
    title: 'Owner’s wallet',
    description: 'Address of the wallet that owns the agent, signs its mandates and approves.',
    required: false,
    secret: false,
  },
  {
    key: 'rpc_url',
    variable: 'EVM_RPC_URL',
    title: 'Node of the chain',
    description: 'JSON-RPC of Base; without it a payment whose outcome is in doubt counts as spent.',
    required: false,
    secret: false,
  },
  {
    key: 'max_amount',
    variable: 'PAYMENT_MAX_AMOUNT',
    title: 'Maximum of one payment',
    description: 'In USDC, whatever the mandate allows.',
    required: false,
    secret: false,
    default: '1',
  },
];
