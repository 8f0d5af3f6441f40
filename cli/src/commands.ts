import type { Env } from '@countersign/service/config';

/** What a module of a command exports. It ends the process itself when it has an exit code to give. */
type CommandModule = { readonly main: (argv: readonly string[], env: Env) => Promise<void> };

export type Command = {
  readonly summary: string;
  /** Loaded when called for, because start-up time counts. */
  readonly load: () => Promise<CommandModule>;
};

/** Every command by its words, in the order in which the help lists them. */
export const commands: Readonly<Record<string, Command>> = {
  start: {
    summary: 'the whole system on this machine, with an agent that pays for a tool (npm start)',
    load: () => import('@countersign/local/start'),
  },
  gateway: {
    summary: 'the MCP server that agents talk to: it alone decides about payments and makes them',
    load: () => import('@countersign/gateway/main'),
  },
  'gateway receipt-key': {
    summary: 'prints the public key of the gateway’s receipts',
    load: () => import('@countersign/gateway/receipts/receipt-key-main'),
  },
  'receipt export': {
    summary: 'writes the receipts of the gateway’s decisions, with what they were made from',
    load: () => import('@countersign/gateway/receipts/export-main'),
  },
  'receipt verify': {
    summary: 'checks exported receipts offline, and makes each decision again',
    load: () => import('@countersign/gateway/receipts/verify-main'),
  },
  'gateway accept': {
    summary: 'accepts tools of a service that changed, so that they are called again',
    load: () => import('@countersign/gateway/pinning/accept-main'),
  },
  dashboard: {
    summary: 'mandates, accounts, screening and the log of transactions, over HTTP',
    load: () => import('@countersign/dashboard/main'),
  },
  'dashboard erase': {
    summary: 'erases the personal data of one account',
    load: () => import('@countersign/dashboard/personal/erase-main'),
  },
  'compliance import': {
    summary: 'takes a sanctions list into the dashboard’s screening',
    load: () => import('@countersign/dashboard/compliance/import-main'),
  },
  'compliance evidence': {
    summary: 'shows what providers answered about an address, to the letter',
    load: () => import('@countersign/dashboard/compliance/evidence-main'),
  },
  enclave: {
    summary: 'the process that alone sees credentials, signs the audit log, and has no network',
    load: () => import('@countersign/enclave/main'),
  },
  vault: {
    summary: 'credentials that agents use without reading them, tokens and the audit log, over HTTP',
    load: () => import('@countersign/vault/main'),
  },
  'vault create-user': {
    summary: 'makes a user of the vault',
    load: () => import('@countersign/vault/users/create-user-main'),
  },
  'vault rotate-root': {
    summary: 'puts every credential under a new root secret',
    load: () => import('@countersign/vault/credentials/rotate-root-main'),
  },
  'vault rotate-audit-key': {
    summary: 'has the audit log signed by a new key, which the one before endorses',
    load: () => import('@countersign/vault/audit/rotate-key-main'),
  },
  'vault rotate-token-key': {
    summary: 'has the vault’s tokens made under a new key',
    load: () => import('@countersign/vault/tokens/rotate-key-main'),
  },
  'vault rotate-seal-key': {
    summary: 'gives the enclave a new key that clients seal credentials to',
    load: () => import('@countersign/vault/credentials/rotate-seal-key-main'),
  },
  'control-plane': {
    summary: 'policies and credentials for governed actions, over HTTPS (preview)',
    load: () => import('@countersign/control-plane/main'),
  },
  'control-plane create-key': {
    summary: 'makes an API key of the control plane',
    load: () => import('@countersign/control-plane/keys/create-key-main'),
  },
  'control-plane revoke-key': {
    summary: 'ends an API key of the control plane at once',
    load: () => import('@countersign/control-plane/keys/revoke-key-main'),
  },
  'control-plane list-keys': {
    summary: 'lists the API keys of the control plane by their names',
    load: () => import('@countersign/control-plane/keys/list-keys-main'),
  },
  'audit verify': {
    summary: 'checks what the audit log gave you, offline: an export, a proof of one record, a proof bundle',
    load: () => import('@countersign/audit-log/verify/main'),
  },
  'attest verify': {
    summary:
      'checks offline what a TEE says of itself: a report, a quote, an SEV-SNP report, a Nitro document',
    load: () => import('@countersign/attestation/main'),
  },
  facilitator: {
    summary: 'x402 facilitator: verifies payments and settles them on one chain',
    load: () => import('@countersign/local/facilitator'),
  },
  'sample-services': {
    summary: 'two MCP services that charge for their tools, to try payments with',
    load: () => import('@countersign/local/sample-services'),
  },
};
