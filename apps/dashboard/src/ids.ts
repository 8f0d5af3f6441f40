/** So many unpredictable bytes. */
export type RandomBytes = (count: number) => Buffer;

/** An id that cannot be guessed: `prefix_` and 128 random bits. */
export const newId = (random: RandomBytes, prefix: string): string =>
  `${prefix}_${random(16).toString('base64url')}`;
