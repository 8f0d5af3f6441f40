/** So long a secret that was replaced still signs beside the new one. */
export const overlapMs = 24 * 60 * 60_000;
/** Maximum number of valid secrets of a webhook: receivers reject a header with too many signatures. */
export const maxValid = 4;

/** Numbers of the secrets that sign now, the newest first. `rolledAt`: when each, from number 1, was replaced. */
export const validGenerations = (rolledAt: readonly Date[], now: Date): readonly number[] => {
  const before = rolledAt.flatMap((at, place) =>
    now.getTime() - at.getTime() < overlapMs ? [place + 1] : [],
  );
  return [rolledAt.length + 1, ...before.toReversed()];
};
