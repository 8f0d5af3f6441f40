/** Seconds from one failed attempt to the next: at once, after 1 s, after 5 s, then further apart, over 24 hours in all. */
const delays = [1, 5, 30, 300, 1800, 7200, 18_000, 28_800, 30_000];

/** From here on receivers that failed together are told apart from each other. */
const spreadFrom = 30;

/**
 * Milliseconds to wait after so many failed attempts; null when there is no further one. `chance` in [0, 1) spreads the
 * later ones by a fifth. `retryAfter`, in seconds, is what the receiver asked for: it is not called before.
 */
export function delayAfter(
  attempts: number,
  chance: number,
  retryAfter: number | null = null,
): number | null {
  const delay = delays[attempts - 1];
  if (delay === undefined) return null;
  const spread = delay < spreadFrom ? 1 : 0.8 + 0.4 * chance;
  return Math.round(1000 * Math.max(delay * spread, Math.min(retryAfter ?? 0, 86_400)));
}
