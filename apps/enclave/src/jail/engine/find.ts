import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Engine, engineAt, systemChromium } from './engine.ts';

/** The Chromium for sessions: the one that was named, else the system's. A refusal says what to do. */
export async function findEngine(configured: string | null): Promise<Result<Engine, string>> {
  if (configured !== null) return ok(await engineAt('configured', configured));
  const system = systemChromium();
  return system === null
    ? fail('there is no Chromium: install one, or name it in SANDBOX_CHROMIUM')
    : ok(await engineAt('system', system));
}
