import { fileURLToPath } from 'node:url';
import type { Logger } from '@countersign/service/logger';
import { readSite, type Site } from '@countersign/service/site';
import type { DashboardConfig } from './config.ts';
import { relayedUnder } from './control-plane/relay.ts';

export const builtConsole = fileURLToPath(new URL('../../../dist/console', import.meta.url));

/** The console as it was built, or null: then the API is served alone, and the log says so. */
export function readConsole(
  log: Logger,
  dir: string,
  { vaultUrl, controlPlane, signInKey, providerLogin }: ConsoleConfig = alone,
): Site | null {
  const origin = vaultUrl?.origin ?? '';
  // A policy that names an http origin does not mean its WebSockets.
  const calls = origin === '' ? [] : [origin, origin.replace(/^http/, 'ws')];
  const control = controlPlane === null ? '' : relayedUnder;
  const provider = providerLogin?.name ?? '';
  const meta = {
    'countersign-vault': origin,
    'countersign-control': control,
    'countersign-one-sign-in': signInKey === null ? '' : 'yes',
    'countersign-provider': provider,
  };
  const site = readSite(dir, { calls, meta });
  if (site === null) log.warn('the console is not built: only the API is served');
  return site;
}

type ConsoleConfig = Pick<DashboardConfig, 'vaultUrl' | 'controlPlane' | 'signInKey' | 'providerLogin'>;
const alone = { vaultUrl: null, controlPlane: null, signInKey: null, providerLogin: null };
