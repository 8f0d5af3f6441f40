import { readFileSync } from 'node:fs';

/** What `npm start` tells about itself: the first argument, or the card in `.countersign`. */
export const card: Card = JSON.parse(readFileSync(process.argv[2] ?? '.countersign/local.json', 'utf8'));

type Card = {
  readonly gatewayUrl: string;
  readonly gatewayToken: string;
  readonly dashboardUrl: string;
  readonly vaultUrl: string;
  readonly controlPlaneUrl: string;
  /** Paths of PEM files. */
  readonly controlPlaneCa: string;
  readonly controlPlaneClientCert: { readonly cert: string; readonly key: string };
  readonly controlPlaneKeys: { readonly admin: string; readonly service: string; readonly approver: string };
  readonly owner: { readonly privateKey: `0x${string}`; readonly address: string };
  readonly vaultUser: { readonly username: string; readonly password: string };
};

/** Says what was seen; an example that sees something else ends with exit code 1. */
export function check(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok ' : 'NOT'} ${what}`);
  if (!holds) process.exit(1);
}
