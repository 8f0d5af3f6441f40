/** How many wallets pay each other. */
export const walletCount = 10_000;

/** Their activity is skewed like the cube of a random number: the first wallet takes part in nine records of a hundred. */
export const randomRank = `least(floor(${walletCount} * power(random(), 3))::int, ${walletCount - 1})`;

/** Decimal digits only, so that an address reads the same with and without its checksum. */
export const addressOf = (rank: number): string => `0x${String(rank).padStart(40, '0')}`;
export const addressSql = (rank: string): string => `'0x' || lpad((${rank})::text, 40, '0')`;

/** Of so many records, how many have this wallet as payer or payee; a record to itself counts once. */
export function expectedRecords(rank: number, records: number): number {
  const share = Math.cbrt((rank + 1) / walletCount) - Math.cbrt(rank / walletCount);
  return records * (2 * share - share ** 2);
}

/** The wallet that comes nearest to `wanted` records out of `records`. */
export function rankWith(wanted: number, records: number): number {
  const ranks = Array.from({ length: walletCount }, (_, rank) => rank);
  const distance = (rank: number): number => Math.abs(expectedRecords(rank, records) - wanted);
  return ranks.reduce((best, rank) => (distance(rank) < distance(best) ? rank : best), 0);
}
