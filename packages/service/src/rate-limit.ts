/** Counts calls a minute by key. `take` gives null, or the seconds until the caller may try again. */
export type RateLimit = { readonly take: (key: string) => number | null };

const windowMs = 60_000;
const maxKeys = 100_000;

/**
 * At most `perMinute` calls of one key in a window of a minute that begins with its first call. Kept in this
 * process: several processes each allow as much.
 */
export function createRateLimit(perMinute: number, now: () => Date): RateLimit {
  const windows = new Map<string, { count: number; endsAt: number }>();
  const forgetOld = (time: number) => {
    for (const [key, { endsAt }] of windows) if (endsAt <= time) windows.delete(key);
    // Only a flood from very many addresses gets here; forgetting is better than growing without end.
    if (windows.size >= maxKeys) windows.clear();
  };
  return {
    take(key) {
      const time = now().getTime();
      const known = windows.get(key);
      if (known === undefined || known.endsAt <= time) {
        if (windows.size >= maxKeys) forgetOld(time);
        windows.set(key, { count: 1, endsAt: time + windowMs });
        return null;
      }
      known.count += 1;
      return known.count > perMinute ? Math.max(1, Math.ceil((known.endsAt - time) / 1000)) : null;
    },
  };
}
