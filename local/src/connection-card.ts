import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Address } from '@countersign/protocol/address';
import type { PrivateKey } from './private-key.ts';
import { writeWhole } from './write-whole.ts';

/**
 * How to reach and use everything that runs, for tools and tests: `DIR/local.json`. It stands there only while the
 * whole system does. A part that was not started has null.
 */
export type ConnectionCard = {
  /** Ends in `/mcp`. */
  readonly gatewayUrl: string | null;
  readonly gatewayToken: string;
  readonly dashboardUrl: string | null;
  readonly vaultUrl: string | null;
  readonly controlPlaneUrl: string | null;
  /** Path of the certificate that signs the control plane's. */
  readonly controlPlaneCa: string | null;
  readonly facilitatorUrl: string | null;
  readonly rpcUrl: string | null;
  readonly chainId: number;
  readonly tokenAddress: Address;
  readonly anchorAddress: Address | null;
  readonly services: readonly { readonly serviceId: string; readonly url: string }[];
  readonly owner: {
    readonly privateKey: PrivateKey;
    readonly address: Address;
    readonly accountId: string | null;
    readonly apiKey: string | null;
  };
  /** Signs the carts of the sample services, and is paid. */
  readonly merchant: {
    readonly privateKey: PrivateKey;
    readonly address: Address;
    readonly apiKey: string | null;
  };
  /** Sees every payer. */
  readonly operatorApiKey: string | null;
  readonly operator: { readonly privateKey: PrivateKey; readonly address: Address };
  readonly vaultUser: { readonly username: string; readonly password: string } | null;
  readonly controlPlaneKeys: {
    readonly admin: string;
    readonly service: string;
    readonly approver: string;
  } | null;
  /** Paths. */
  readonly controlPlaneClientCert: { readonly cert: string; readonly key: string } | null;
  readonly databaseUrl: string | null;
  readonly webhookSecret: string | null;
};

/** Returns the path of a system's connection card. */
export const cardIn = (dir: string): string => join(dir, 'local.json');

/** Returns the card's content, not validated; null if no system runs. An error says what to do. */
export function readCardFile(dir: string): Result<Readonly<Record<string, unknown>> | null, string> {
  const file = cardIn(dir);
  if (!existsSync(file)) return ok(null);
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return ok({ ...found });
  } catch {
    // Half written, or not ours.
  }
  return fail(
    `${file} is not a demo’s connection card: stop the demo and run "npx countersign start" again to write a new one`,
  );
}

/** Puts the card in place, whole. */
export function writeCard(dir: string, card: ConnectionCard): void {
  writeWhole(cardIn(dir), `${JSON.stringify(card, null, 2)}\n`);
}

/** Takes the card away; it may be gone already. */
export function removeCard(dir: string): void {
  rmSync(cardIn(dir), { force: true });
}
