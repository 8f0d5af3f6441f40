import type { Env } from '@countersign/service/config';

/** The export of a command's module. It ends the process itself if it has an exit code. */
type CommandModule = { readonly main: (argv: readonly string[], env: Env) => Promise<void> };

export type Command = {
  readonly summary: string;
  /** Loaded when called for, because start-up time counts. */
  readonly load: () => Promise<CommandModule>;
};

/** Every command by its words, in the order in which the help lists them. */
export const commands: Readonly<Record<string, Command>> = {
  start: {
    summary: 'Run the whole system on this machine, with an agent (npm start)',
    load: () => import('@countersign/local/start'),
  },
  init: {
    summary: 'Ask what the services need and write .env, with new secrets',
    load: () => import('./init/main.ts'),
  },
  connect: {
    summary: 'Add the gateway to the settings of a client, such as Claude Code',
    load: () => import('@countersign/local/connect/main'),
  },
  doctor: {
    summary: 'Check this machine and the configured services, and suggest fixes',
    load: () => import('./doctor/main.ts'),
  },
  gateway: {
    summary: 'Run the MCP server that agents talk to; it alone decides on payments',
    load: () => import('@countersign/gateway/main'),
  },
  'gateway receipt-key': {
    summary: 'Print the public key of the gateway’s receipts',
    load: () => import('@countersign/gateway/receipts/receipt-key-main'),
  },
  'gateway sweep': {
    summary: 'Return the money in an agent’s wallet to its owner',
    load: () => import('@countersign/gateway/sweep/main'),
  },
  'wallet new': {
    summary: 'Create a wallet for an agent, with its key in a private file',
    load: () => import('@countersign/gateway/own-wallet/new-main'),
  },
  'wallet show': {
    summary: 'Show a wallet’s address and balances',
    load: () => import('@countersign/gateway/own-wallet/show-main'),
  },
  'wallet sweep': {
    summary: 'Return the money in an agent’s wallet to its owner (as gateway sweep)',
    load: () => import('@countersign/gateway/sweep/main'),
  },
  'receipt export': {
    summary: 'Export the gateway’s decision receipts, with the inputs of each',
    load: () => import('@countersign/gateway/receipts/export-main'),
  },
  'receipt verify': {
    summary: 'Check exported receipts offline and replay each decision',
    load: () => import('@countersign/gateway/receipts/verify-main'),
  },
  'gateway accept': {
    summary: 'Accept changed tools of a service so that they can be called again',
    load: () => import('@countersign/gateway/pinning/accept-main'),
  },
  dashboard: {
    summary: 'Run the HTTP server for mandates, accounts, screening and transactions',
    load: () => import('@countersign/dashboard/main'),
  },
  'dashboard erase': {
    summary: 'Erase the personal data of one account',
    load: () => import('@countersign/dashboard/personal/erase-main'),
  },
  'compliance import': {
    summary: 'Import a sanctions list for the dashboard’s screening',
    load: () => import('@countersign/dashboard/compliance/import-main'),
  },
  'compliance evidence': {
    summary: 'Show the exact answers of screening providers about an address',
    load: () => import('@countersign/dashboard/compliance/evidence-main'),
  },
  enclave: {
    summary: 'Run the process that alone sees credentials; it has no network',
    load: () => import('@countersign/enclave/main'),
  },
  vault: {
    summary: 'Run the HTTP server for credentials, tokens and the audit log',
    load: () => import('@countersign/vault/main'),
  },
  'vault create-user': {
    summary: 'Create a vault user',
    load: () => import('@countersign/vault/users/create-user-main'),
  },
  'vault rotate-root': {
    summary: 'Re-encrypt every credential under a new root secret',
    load: () => import('@countersign/vault/credentials/rotate-root-main'),
  },
  'vault rotate-audit-key': {
    summary: 'Switch the audit log to a new signing key, endorsed by the old one',
    load: () => import('@countersign/vault/audit/rotate-key-main'),
  },
  'vault rotate-token-key': {
    summary: 'Switch to a new key for the vault’s tokens',
    load: () => import('@countersign/vault/tokens/rotate-key-main'),
  },
  'vault rotate-seal-key': {
    summary: 'Switch to a new key to which clients encrypt credentials',
    load: () => import('@countersign/vault/credentials/rotate-seal-key-main'),
  },
  'control-plane': {
    summary: 'Run the HTTPS server for governed actions (preview)',
    load: () => import('@countersign/control-plane/main'),
  },
  'control-plane create-key': {
    summary: 'Create a control plane API key',
    load: () => import('@countersign/control-plane/keys/create-key-main'),
  },
  'control-plane revoke-key': {
    summary: 'Revoke a control plane API key immediately',
    load: () => import('@countersign/control-plane/keys/revoke-key-main'),
  },
  'control-plane list-keys': {
    summary: 'List the names of the control plane’s API keys',
    load: () => import('@countersign/control-plane/keys/list-keys-main'),
  },
  'audit verify': {
    summary: 'Verify an export or a proof from the audit log, offline',
    load: () => import('@countersign/audit-log/verify/main'),
  },
  'attest verify': {
    summary: 'Verify TEE evidence offline: TDX, SGX, SEV-SNP or Nitro',
    load: () => import('@countersign/attestation/main'),
  },
  migrate: {
    summary: 'Report what an upgrade would change in the databases (--check)',
    load: () => import('./migrate/main.ts'),
  },
  facilitator: {
    summary: 'Run an x402 facilitator: it verifies payments and settles them',
    load: () => import('@countersign/local/facilitator'),
  },
  'sample-services': {
    summary: 'Run two MCP services that charge for their tools, to try payments',
    load: () => import('@countersign/local/sample-services'),
  },
  completion: {
    summary: 'Print what makes bash, zsh or fish complete these commands',
    load: () => import('./completion.ts'),
  },
};
