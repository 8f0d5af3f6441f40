import { vaultUrl } from '../location.ts';

/** The newest root on chain: over how many records, and since when. */
export type Anchor = { readonly size: number; readonly at: string };

/** Returns the vault's last published root; null if it has published none, or does not say. */
export async function lastAnchor(): Promise<Anchor | null> {
  try {
    const answer = await fetch(new URL('/ready', vaultUrl() ?? ''), { credentials: 'omit' });
    const { anchor }: { anchor?: Partial<Anchor> } = await answer.json();
    return typeof anchor?.size === 'number' && typeof anchor.at === 'string'
      ? { size: anchor.size, at: anchor.at }
      : null;
  } catch {
    return null;
  }
}
