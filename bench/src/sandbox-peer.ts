import { findEngine } from '@countersign/enclave/launcher/engine/find';
import { type Browser, chromium } from 'playwright-core';

/** Plain playwright-core on the Chromium that sessions get: the one that is named, else the system's, else the one that comes along. */
export async function launchPeer(): Promise<Browser> {
  const engine = await findEngine(process.env['SANDBOX_CHROMIUM'] || null);
  if (!engine.ok) throw new Error(engine.error);
  const { path, env } = engine.value;
  return chromium.launch({ executablePath: path, env: { ...inherited(), ...env }, args: flags() });
}

const inherited = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** As root Chromium starts for nobody without this. */
const flags = (): string[] => (process.getuid?.() === 0 ? ['--no-sandbox'] : []);
