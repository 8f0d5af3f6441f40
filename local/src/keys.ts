import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Address } from '@countersign/protocol/address';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { z } from 'zod';
import { keyBytes, type PrivateKey, privateKey } from './private-key.ts';
import { writeWhole } from './write-whole.ts';

export type Wallet = { readonly privateKey: PrivateKey; readonly address: Address };

/** Every secret of a local system. Play money hangs on them, but the same habits hold as for real ones. */
export type Keys = {
  readonly owner: Wallet;
  readonly merchant: Wallet;
  readonly operator: Wallet;
  readonly facilitator: Wallet;
  /** The token that an agent presents to the gateway. */
  readonly gatewayToken: string;
};

const wallet = z
  .custom<PrivateKey>((text) => typeof text === 'string' && privateKey(text).ok)
  .transform((key): Wallet => ({ privateKey: key, address: addressOfPrivateKey(keyBytes(key)) }));

const keys = z.object({
  owner: wallet,
  merchant: wallet,
  operator: wallet,
  facilitator: wallet,
  gatewayToken: z.string().min(16),
});

/** The keys of the system in `dir`, made at its first start. */
export function loadKeys(dir: string): Keys {
  const file = join(dir, 'keys.json');
  if (!existsSync(file)) writeWhole(file, `${JSON.stringify(newKeys(), null, 2)}\n`);
  return readKept(file, keys);
}

function newKeys(): z.input<typeof keys> {
  const wallets = () => `0x${randomBytes(32).toString('hex')}` as const;
  return {
    owner: wallets(),
    merchant: wallets(),
    operator: wallets(),
    facilitator: wallets(),
    gatewayToken: randomBytes(24).toString('base64url'),
  };
}

const approver = z.object({ approver: wallet });

/** Who decides about actions has a wallet of their own, for the console alone; made when it is first asked for. */
export function loadApproverWallet(dir: string): Wallet {
  const file = join(dir, 'approver-wallet.json');
  if (!existsSync(file)) {
    const made = { approver: `0x${randomBytes(32).toString('hex')}` };
    writeWhole(file, `${JSON.stringify(made, null, 2)}\n`);
  }
  return readKept(file, approver).approver;
}

const apiKeys = z.object({ owner: z.string(), merchant: z.string(), operator: z.string() });
export type ApiKeys = z.infer<typeof apiKeys>;

/** API keys that an earlier start was given; the dashboard shows each only once. */
export function loadApiKeys(dir: string): Partial<ApiKeys> {
  const file = join(dir, 'api-keys.json');
  return existsSync(file) ? readKept(file, apiKeys) : {};
}

export function keepApiKeys(dir: string, kept: ApiKeys): void {
  writeWhole(join(dir, 'api-keys.json'), `${JSON.stringify(kept, null, 2)}\n`);
}

const login = z.object({ username: z.string(), password: z.string().min(16) });
export type Login = z.infer<typeof login>;

const vaultUserFile = (dir: string): string => join(dir, 'vault-user.json');

/** Returns whether an earlier start has made the vault's admin. */
export const hasVaultUser = (dir: string): boolean => existsSync(vaultUserFile(dir));

/** The vault's admin, named at the first start. */
export const loadVaultUser = (dir: string): Login => loadLogin(vaultUserFile(dir), 'admin');

/** The demo's auditor, named at the first start; in a database that others share the name is nobody else's. */
export function loadAuditor(dir: string): Login {
  const file = join(dir, 'auditor.json');
  return loadLogin(file, `auditor-${randomBytes(6).toString('hex')}`);
}

/** The one customer of the demo shop, named at the first start. */
export const loadShopCustomer = (dir: string): Login =>
  loadLogin(join(dir, 'shop-customer.json'), 'ada.morris');

function loadLogin(file: string, username: string): Login {
  if (!existsSync(file)) {
    const password = randomBytes(24).toString('base64url');
    writeWhole(file, `${JSON.stringify({ username, password }, null, 2)}\n`);
  }
  return readKept(file, login);
}

const webhookSecret = z.object({ webhookSecret: z.string().startsWith('whsec_') });

/** Returns the secret that signs all webhooks of the local control plane; created at the first start. */
export function loadWebhookSecret(dir: string): string {
  const file = join(dir, 'webhook-secret.json');
  if (!existsSync(file)) {
    const made = { webhookSecret: `whsec_${randomBytes(32).toString('base64')}` };
    writeWhole(file, `${JSON.stringify(made, null, 2)}\n`);
  }
  return readKept(file, webhookSecret).webhookSecret;
}

const evidenceKey = z.object({ evidenceKey: z.string() });

/** Seals what the dashboard keeps of vendors and agents; made at the first start. */
export function loadEvidenceKey(dir: string): string {
  const file = join(dir, 'evidence-key.json');
  if (!existsSync(file)) {
    const made = { evidenceKey: randomBytes(32).toString('base64') };
    writeWhole(file, `${JSON.stringify(made, null, 2)}\n`);
  }
  return readKept(file, evidenceKey).evidenceKey;
}

const controlPlaneKeys = z.object({ admin: z.string(), service: z.string(), approver: z.string() });
export type ControlPlaneKeys = z.infer<typeof controlPlaneKeys>;

const controlPlaneKeysFile = (dir: string): string => join(dir, 'control-plane-keys.json');

/** Keys of the control plane that an earlier start made; each is shown only once. Null when there are none yet. */
export const loadControlPlaneKeys = (dir: string): ControlPlaneKeys | null =>
  existsSync(controlPlaneKeysFile(dir)) ? readKept(controlPlaneKeysFile(dir), controlPlaneKeys) : null;

export function keepControlPlaneKeys(dir: string, kept: ControlPlaneKeys): void {
  writeWhole(controlPlaneKeysFile(dir), `${JSON.stringify(kept, null, 2)}\n`);
}

function readKept<T extends z.ZodType>(file: string, schema: T): z.output<T> {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} was damaged; put it right, or remove its directory to begin anew`, {
      cause: error,
    });
  }
}
