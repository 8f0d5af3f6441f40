import { findEngine } from '@countersign/enclave/launcher/engine/find';
import { type Browser, chromium } from 'playwright-core';

/** The Chromium that sessions and tests have too. */
export async function openChromium(): Promise<Browser> {
  const found = await findEngine(null);
  if (!found.ok) throw new Error(found.error);
  // Chromium's own sandbox does not run as root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    executablePath: found.value.path,
    args: [
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--hide-scrollbars',
      ...asRoot,
    ],
    env: { ...process.env, ...found.value.env },
  });
}
