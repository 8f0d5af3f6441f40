import type { OnChain } from '../anchored.ts';
import type { AnchorPlace } from './ethereum.ts';

/**
 * The newest root of a log on chain; null before the first. A chain that does not answer gives null too: what is signed by the log is
 * good without. Then `onFailure` gets the error's name alone, because its words may hold the node's URL, and that a key.
 */
export async function newestRoot(
  place: AnchorPlace,
  logId: Buffer,
  onFailure: (name: string) => void,
): Promise<OnChain | null> {
  try {
    // Only who asks for the chain waits for its library.
    const { newestOnChain } = await import('./ethereum.ts');
    const newest = await newestOnChain(place, logId);
    if (newest === null) return null;
    const { root, ...where } = newest;
    return { ...where, root: `0x${root.toString('hex')}`, contract: place.contract };
  } catch (error) {
    onFailure(error instanceof Error ? error.name : 'unknown');
    return null;
  }
}
