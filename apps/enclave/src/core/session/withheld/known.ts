/** What a value is known as; the first is the surest. Those before `address` are looked for wherever they may stand. */
const ranks = ['cookie', 'id', 'token', 'address'] as const;
export type Rank = (typeof ranks)[number];

/** `places`: where it is given back. */
export type Known = { readonly standIn: string; readonly rank: Rank; readonly places: Set<string> };

/** Of each rank the newest are remembered, so that tokens without number leave no id of a log-in out. */
const most: Readonly<Record<Rank, number>> = { cookie: 256, id: 128, token: 128, address: 3584 };
/** Of a value, and of all of `address` with their places, in UTF-16 units. */
const [maxPlaces, maxCharacters] = [32, 1_000_000];
/** What is left of more than that. */
const kept = 7 / 8;

/** Values by which agents would be logged in, in constant time for each. */
export class KnownValues {
  readonly #known = new Map<string, Known>();
  /** Values of each rank; the newest is the last. */
  readonly #ranked: Readonly<Record<Rank, Set<string>>> = {
    cookie: new Set(),
    id: new Set(),
    token: new Set(),
    address: new Set(),
  };
  #characters = 0;
  /** How often another value is hidden, another value is looked for wherever it stands, and anything was learned. */
  changes = 0;
  sought = 0;
  news = 0;
  /** Whether values were forgotten for newer ones. */
  hasForgotten = false;

  get size(): number {
    return this.#known.size;
  }

  has(value: string): boolean {
    return this.#known.has(value);
  }

  get(value: string): Known | undefined {
    return this.#known.get(value);
  }

  [Symbol.iterator](): Iterator<[string, Known]> {
    return this.#known[Symbol.iterator]();
  }

  /** Those that are looked for wherever they may stand. */
  everywhere(): string[] {
    const { cookie, id, token } = this.#ranked;
    return [...cookie, ...id, ...token];
  }

  learn(value: string, said: Rank, standIn: (value: string) => string): void {
    const before = this.#known.get(value);
    const rank =
      before !== undefined && ranks.indexOf(before.rank) < ranks.indexOf(said) ? before.rank : said;
    // The one that was seen last is the newest.
    this.#ranked[before?.rank ?? rank].delete(value);
    this.#ranked[rank].add(value);
    if (before?.rank === rank) return;
    if (before === undefined) this.#characters += value.length;
    this.#known.set(value, {
      standIn: before?.standIn ?? standIn(value),
      rank,
      places: before?.places ?? new Set(),
    });
    this.#count(rank !== 'address');
    this.#makeRoom(rank);
  }

  place(value: string, place: string): void {
    const places = this.#known.get(value)?.places;
    if (places === undefined || places.has(place)) return;
    const [oldest = ''] = places.size < maxPlaces ? [] : places;
    places.delete(oldest);
    places.add(place);
    this.#characters += place.length - oldest.length;
    this.news += 1;
    this.#makeRoom('address');
  }

  clear(): void {
    this.#known.clear();
    for (const rank of ranks) this.#ranked[rank].clear();
    this.#characters = 0;
    this.#count(true);
  }

  #count(isSought: boolean): void {
    this.changes += 1;
    this.news += 1;
    if (isSought) this.sought += 1;
  }

  /** An eighth goes at a time: to find the oldest of a set takes as long as it has lost values. */
  #makeRoom(rank: Rank): void {
    if (rank !== 'address' && this.#ranked[rank].size > most[rank]) this.#demote(rank);
    const { address } = this.#ranked;
    if (address.size <= most.address && this.#characters <= maxCharacters) return;
    for (const oldest of address) {
      if (address.size <= most.address * kept && this.#characters <= maxCharacters * kept) break;
      for (const text of [oldest, ...(this.#known.get(oldest)?.places ?? [])])
        this.#characters -= text.length;
      address.delete(oldest);
      this.#known.delete(oldest);
    }
    this.hasForgotten = true;
    this.changes += 1;
  }

  /** What was looked for everywhere is hidden in addresses still. */
  #demote(rank: Rank): void {
    for (const oldest of this.#ranked[rank]) {
      if (this.#ranked[rank].size <= most[rank] * kept) return;
      const known = this.#known.get(oldest);
      this.#ranked[rank].delete(oldest);
      this.#ranked.address.add(oldest);
      if (known !== undefined) this.#known.set(oldest, { ...known, rank: 'address' });
    }
  }
}
