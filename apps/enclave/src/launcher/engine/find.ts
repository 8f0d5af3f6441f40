import { fail, ok, type Result } from '@countersign/protocol/result';
import { sayWhy } from '@countersign/service/lifecycle';
import { bundledEngine } from './bundled.ts';
import { type Engine, engineAt, systemChromium } from './engine.ts';

/** The Chromium for sessions: the one that was named, else the system's, else the one that comes along. */
export async function findEngine(configured: string | null): Promise<Result<Engine, string>> {
  try {
    if (configured !== null) return ok(await engineAt('configured', configured));
    const system = systemChromium();
    return system === null ? await bundledEngine() : ok(await engineAt('system', system));
  } catch (error) {
    return fail(`Chromium cannot be used: ${sayWhy(error).split('\n')[0]}`);
  }
}
